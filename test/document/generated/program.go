// Follows an import with a generated client, and prints what it is told.
package main

import (
	"context"
	"fmt"
	"os"

	"client/api"

	"github.com/ogen-go/ogen/ogenerrors"
)

type token struct{}

func (token) Token(context.Context, api.OperationName) (api.Token, error) {
	return api.Token{APIKey: "SVC-SIMPLE-TOKEN Token=secret"}, nil
}

func (token) Hmac(context.Context, api.OperationName) (api.Hmac, error) {
	return api.Hmac{}, ogenerrors.ErrSkipClientSecurity
}

func (token) AuthorizationParameter(context.Context, api.OperationName) (api.AuthorizationParameter, error) {
	return api.AuthorizationParameter{}, ogenerrors.ErrSkipClientSecurity
}

func (token) SessionCookie(context.Context, api.OperationName) (api.SessionCookie, error) {
	return api.SessionCookie{}, ogenerrors.ErrSkipClientSecurity
}

func (token) Csrf(context.Context, api.OperationName) (api.Csrf, error) {
	return api.Csrf{}, ogenerrors.ErrSkipClientSecurity
}

func main() {
	client, err := api.NewClient(os.Args[1], token{})
	for err == nil {
		var answer api.GetMediaRes
		answer, err = client.GetMedia(context.Background(), api.GetMediaParams{ID: 902114})
		switch media := answer.(type) {
		case *api.GetMediaAcceptedHeaders:
			fmt.Println(media.Response.ImportProgress.Progress)
		case *api.MediaOrImportProgressHeaders:
			fmt.Println(media.Response.Media.Filename)
			return
		}
	}
	fmt.Println(err)
}
