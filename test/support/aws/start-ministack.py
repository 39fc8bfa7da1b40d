# Starts ministack, which learns here what it lacks of AWS, so that it takes the product's stack as it is. It checks what it is sent (the size of a
# template, say) before any of this. test/rehearsal/limits.ts names what stays unproved.
import json
import os
import re
from email.utils import parseaddr
from functools import lru_cache, wraps
from pathlib import Path

from ministack import app
from ministack.core import cloudfront_js, iam_actions, lambda_runtime
from ministack.core.responses import get_account_id, get_region, new_uuid
from ministack.services import apigateway_v1, cloudformation, cloudfront, dynamodb
from ministack.services.cloudformation import provisioners


def replaces(module):
    """Puts a function in the place of the one of its name, which becomes its first argument."""

    def put(function):
        original = getattr(module, function.__name__)
        setattr(module, function.__name__, wraps(original)(lambda *args, **named: function(original, *args, **named)))

    return put


# It would check an expression anew for each item that it holds it against: a fifth of its time while the stack is used.
for read in (dynamodb._tokenize, dynamodb._condition_syntax_error):
    setattr(dynamodb, read.__name__, lru_cache(maxsize=1000)(read))


# CloudFormation: types of resources that it doesn't know. CloudFront itself has both of its kinds.
def kept(store, new_id, config):
    """A type whose records are kept in a store of CloudFront's. `config` names their property."""

    def create(logical_id, props, stack_name):
        record = {'Id': new_id(), 'ETag': new_uuid(), 'CreatedTime': cloudfront._now_iso(), 'LastModifiedTime': cloudfront._now_iso()}
        store[record['Id']] = {**record, 'Config': props[config]}
        return record['Id'], {'Id': record['Id']}

    def update(physical_id, old_props, new_props, stack_name):
        store[physical_id] = {**store[physical_id], 'ETag': new_uuid(), 'Config': new_props[config]}
        return physical_id, {'Id': physical_id}

    return {'create': create, 'update': update, 'delete': lambda physical_id, props: store.pop(physical_id, None)}


def create_queue(logical_id, props, stack_name):
    """A queue of MediaConvert, which has no service here. A stand-in takes the jobs that are sent to its ARN."""
    name = f'{stack_name}-{logical_id}'
    return name, {'Name': name, 'Arn': f'arn:aws:mediaconvert:{get_region()}:{get_account_id()}:queues/{name}'}


provisioners._RESOURCE_HANDLERS.update({
    'AWS::CloudFront::PublicKey': kept(cloudfront._public_keys, cloudfront._pk_id, 'PublicKeyConfig'),
    'AWS::CloudFront::KeyGroup': kept(cloudfront._key_groups, cloudfront._kg_id, 'KeyGroupConfig'),
    'AWS::MediaConvert::Queue': {'create': create_queue, 'delete': lambda physical_id, props: None},
})


@replaces(provisioners)
def _cw_metric_alarm_put(original, name, props):
    """It takes no alarm of a query or of a sum."""
    if 'Metrics' not in props:
        return original(name, props)
    return name, {'Arn': f'arn:aws:cloudwatch:{get_region()}:{get_account_id()}:alarm:{name}'}


@replaces(provisioners)
def _update_resource(original, resource_type, physical_id, old_props, new_props, stack_name, logical_id=None, old_attrs=None):
    """An update of a nested stack forgets the attributes of resources that stay as they are."""
    known = cloudformation._stacks.get(stack_name, {}).get('_resources', {}).get(logical_id, {}).get('Attributes', {})
    return original(resource_type, physical_id, old_props, new_props, stack_name, logical_id, old_attrs or known)


# API Gateway: extensions of an OpenAPI document.
@replaces(apigateway_v1)
def _import_rest_api(original, spec, data=None):
    api = original(spec, {**(data or {}), 'binaryMediaTypes': spec.get('x-amazon-apigateway-binary-media-types', [])})
    for kind, response in spec.get('x-amazon-apigateway-gateway-responses', {}).items():
        apigateway_v1._put_gateway_response(api, kind, response)
    return api


@replaces(apigateway_v1)
def _import_path_item(original, api, path, item, *others):
    any_method = item.get('x-amazon-apigateway-any-method')
    named = dict.fromkeys(apigateway_v1._OPENAPI_HTTP_METHODS, any_method) if any_method else {}
    return original(api, path, {**named, **item}, *others)


# CloudFront: it has no module of edge functions that chooses an origin, so all that they let through goes to the default one, and it dials no
# host of AWS. Its gateway is at a path of its own address.
@replaces(cloudfront_js)
def evaluate(original, code, event):
    """The event of an answer shows the request as the function left it. Of the headers it shows here what the client sent."""
    request_id = event['context']['requestId']
    if event['context']['eventType'] == 'viewer-response':
        event['request']['headers'] = headers_left.pop(request_id, event['request']['headers'])
    made = original(code.replace(b"import cf from 'cloudfront'", b'const cf = { selectRequestOriginById() {} }'), event)
    if event['context']['eventType'] == 'viewer-request' and 'uri' in made:
        headers_left[request_id] = made['headers']
    return made


headers_left = {}


@replaces(cloudfront)
def _forward_to_origin(original, origin, method, uri, *others):
    if gateway := re.fullmatch(r'(\w+)\.execute-api\.[\w-]+\.amazonaws\.com', origin['domain_name']):
        origin = {**origin, 'domain_name': 'localhost', 'https_port': int(os.environ['GATEWAY_PORT'])}
        uri = f'/_aws/execute-api/{gateway[1]}{uri}'
    return original(origin, method, uri, *others)


# IAM: SQS asks for the right to send one message where a batch of them is sent, too.
@replaces(iam_actions)
def extract_iam_action(original, *args):
    action = original(*args)
    return 'sqs:SendMessage' if action == 'sqs:SendMessageBatch' else action


@replaces(app)
def _enforce_ses_v2(original, method, path, headers, body, query_params, request_id):
    """A mail is judged by its sender, for the sender's identity and for the configuration set that it is sent with."""
    if (method, path) != ('POST', '/v2/email/outbound-emails'):
        return original(method, path, headers, body, query_params, request_id)
    mail = json.loads(body)
    sender = parseaddr(mail.get('FromEmailAddress', ''))[1]
    resources = [f'identity/{sender}', *(f'configuration-set/{name}' for name in [mail.get('ConfigurationSetName')] if name)]
    for resource in resources:
        arn = f'arn:aws:ses:{get_region()}:{get_account_id()}:{resource}'
        context = {'ses:FromAddress': sender}
        if denied := app._enforce_data_plane(
            'sesv2', 'ses:SendEmail', headers, query_params, request_id, resource_arn=arn, service_context=context, named_resource=arn
        ):
            return denied
    return None


# Lambda: what it gives a function besides its code.
start = Path(__file__).with_name('function-start.cjs')
lambda_runtime._NODEJS_WORKER_SCRIPT = f'require({json.dumps(str(start))})(__dirname)\n{lambda_runtime._NODEJS_WORKER_SCRIPT}'

app.main()
