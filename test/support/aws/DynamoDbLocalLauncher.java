import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Runs DynamoDB Local on the loopback interface only: its own main class listens on every one, and has no option for it. */
public class DynamoDbLocalLauncher {
    public static void main(String[] arguments) throws Exception {
        DynamoDBProxyServer local = ServerRunner.createServerFromCommandLineArgs(arguments);
        var field = DynamoDBProxyServer.class.getDeclaredField("server");
        field.setAccessible(true);
        ((ServerConnector) ((Server) field.get(local)).getConnectors()[0]).setHost("127.0.0.1");
        local.start();
        local.join();
    }
}
