import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.Version;

/**
 * Runs OpenSearch, version 2 or 3, on the loopback interface only, from its artifacts alone: what its distribution adds is not among them.
 * Arguments: port, folder.
 */
public class OpenSearchLauncher extends Node {
    private static final boolean IS_2 = Version.CURRENT.major < 3;

    /** Version 2 takes classes, version 3 what is said of them. */
    @SuppressWarnings({ "unchecked", "rawtypes" })
    private OpenSearchLauncher(Environment environment, Collection plugins) {
        super(environment, plugins, true);
    }

    /** @param name without its ending, which the versions differ in */
    private static Object plugin(String name) throws ClassNotFoundException {
        Class<?> plugin = Class.forName(name + (IS_2 ? "Plugin" : "ModulePlugin"));
        if (IS_2) return plugin;
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
        List<?> plugins = List.of(plugin("org.opensearch.analysis.common.CommonAnalysis"), plugin("org.opensearch.transport.Netty4"));
        new OpenSearchLauncher(environment, plugins).start();
        Thread.currentThread().join();
    }
}
