import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.Version;
import org.opensearch.transport.Netty4ModulePlugin;

/** Runs OpenSearch on the loopback interface only, from its artifacts alone: what its distribution adds is not among them. Arguments: port, folder. */
public class OpenSearchLauncher extends Node {
    private OpenSearchLauncher(Environment environment, Collection<PluginInfo> plugins) {
        super(environment, plugins, true);
    }

    private static PluginInfo plugin(Class<?> plugin) {
        return new PluginInfo(plugin.getSimpleName(), "", "1", Version.CURRENT, "1.8", plugin.getName(), null, List.of(), false);
    }

    public static void main(String[] arguments) throws Exception {
        Settings settings = Settings.builder()
            .put("path.home", arguments[1])
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[0])
            .put("http.type", "netty4")
            .put("transport.type", "netty4")
            .put("transport.port", "0")
            .put("action.auto_create_index", false)
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
        Environment environment = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), Path.of(arguments[1]), () -> "local");
        new OpenSearchLauncher(environment, List.of(plugin(CommonAnalysisModulePlugin.class), plugin(Netty4ModulePlugin.class))).start();
        Thread.currentThread().join();
    }
}
