package dev.keelson.devservice;

import dev.keelson.junit.KeelsonServer;
import io.quarkus.deployment.IsNormal;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.CuratedApplicationShutdownBuildItem;
import io.quarkus.deployment.builditem.DevServicesResultBuildItem;
import io.quarkus.deployment.builditem.DevServicesResultBuildItem.RunningDevService;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.runtime.configuration.ConfigUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/** Starts a server in dev mode and for tests, and tells the Kubernetes client of it. */
public class KeelsonDevServiceProcessor {

  private static final Logger LOG = Logger.getLogger(KeelsonDevServiceProcessor.class);
  private static final String FEATURE = "keelson-devservice";
  private static final String CLIENT = "quarkus.kubernetes-client.";

  /** Lives as long as the application is curated: reloads in dev mode keep it. */
  private static volatile RunningDevService running;

  /** Whether the running one has been told to end with the application. */
  private static volatile boolean ends;

  /** The feature in the list of the start. */
  @BuildStep
  FeatureBuildItem feature() {
    return new FeatureBuildItem(FEATURE);
  }

  /** The server, unless one is configured; null then. */
  @BuildStep(onlyIfNot = IsNormal.class)
  DevServicesResultBuildItem start(
      KeelsonDevServiceConfig config, CuratedApplicationShutdownBuildItem shutdown)
      throws IOException {
    if (!config.enabled()
        || ConfigUtils.isPropertyPresent(CLIENT + "api-server-url")
        || ConfigUtils.isPropertyPresent("kubernetes.master")) {
      return null;
    }
    if (running == null) {
      running = start(config);
    }
    if (!ends) {
      ends = true;
      shutdown.addCloseTask(KeelsonDevServiceProcessor::stop, true);
    }
    return running.toBuildItem();
  }

  private static RunningDevService start(KeelsonDevServiceConfig config) throws IOException {
    KeelsonServer.Builder builder = KeelsonServer.builder();
    if (config.simulatedNodes() > 0) {
      builder.simulatedNodes(config.simulatedNodes());
    }
    config.flags().orElse(List.of()).forEach(builder::flag);
    KeelsonServer server = builder.start();
    for (String manifest : config.manifests().orElse(List.of())) {
      server.applyResource(manifest, "default");
    }
    LOG.infof(
        "Keelson is ready at %s - try: kubectl --kubeconfig %s get namespaces",
        server.url(), server.kubeconfig());
    return new RunningDevService(
        FEATURE, null, server::close, properties(Files.readString(server.kubeconfig())));
  }

  /** The settings of the client from a kubeconfig with everything embedded. */
  static Map<String, String> properties(String kubeconfig) {
    Map<String, String> properties = new HashMap<>();
    properties.put(CLIENT + "api-server-url", value(kubeconfig, "server"));
    properties.put(CLIENT + "ca-cert-data", value(kubeconfig, "certificate-authority-data"));
    properties.put(CLIENT + "client-cert-data", value(kubeconfig, "client-certificate-data"));
    properties.put(CLIENT + "client-key-data", value(kubeconfig, "client-key-data"));
    properties.put(CLIENT + "client-key-algo", "EC");
    properties.put(CLIENT + "namespace", "default");
    return properties;
  }

  private static String value(String kubeconfig, String key) {
    Matcher line = Pattern.compile(key + ": *(\\S+)").matcher(kubeconfig);
    if (!line.find()) {
      throw new IllegalStateException("the kubeconfig has no " + key);
    }
    return line.group(1);
  }

  private static void stop() {
    RunningDevService ending = running;
    running = null;
    ends = false;
    if (ending != null) {
      try {
        ending.close();
      } catch (IOException e) {
        LOG.warn("the server cannot be stopped", e);
      }
    }
  }
}
