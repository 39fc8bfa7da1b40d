import org.openapitools.client.ApiClient;
import org.openapitools.client.api.MediaApi;
import org.openapitools.client.model.ImportProgress;
import org.openapitools.client.model.Media;

/** Follows an import with a generated client, and prints what it is told. */
class Program {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(args[0]);
    client.setApiKey("SVC-SIMPLE-TOKEN Token=secret");
    MediaApi api = new MediaApi(client);
    for (;;) {
      Object answer = api.getMedia(902114).getActualInstance();
      if (answer instanceof Media media) {
        System.out.println(media.getFilename());
        System.exit(0);
      }
      System.out.println(((ImportProgress) answer).getProgress());
    }
  }
}
