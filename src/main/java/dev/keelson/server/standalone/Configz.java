package dev.keelson.server.standalone;

import dev.keelson.config.option.ComponentOptions;
import dev.keelson.config.option.ControllerOptions;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoDuration;
import java.time.Duration;
import java.util.List;

/**
 * What a component was configured with, as {@code /configz} shows it: the part that Keelson has of
 * the configuration of Kubernetes' component, which writes it with the names of Go's fields.
 */
final class Configz {

  private Configz() {}

  static MapNode of(ComponentOptions options) {
    MapNode client =
        MapNode.of("Kubeconfig", Node.text(options.kubeconfig().toString()))
            .with("ContentType", Node.text("application/json"))
            .with("QPS", number(options.requestsPerSecond()))
            .with("Burst", new Node.Int(options.burst()));
    return switch (options.component()) {
      case CONTROLLERS ->
          MapNode.of(
              "kubecontrollermanager.config.k8s.io",
              MapNode.of("Generic", generic(options, client))
                  .with(
                      "CSRSigningController",
                      MapNode.of(
                          "ClusterSigningDuration",
                          duration(options.controllers().signing().duration())))
                  .with(
                      "LegacySATokenCleaner",
                      MapNode.of("CleanUpPeriod", duration(options.controllers().tokenPeriod()))));
      case SCHEDULER ->
          MapNode.of(
              "componentconfig",
              MapNode.of("LeaderElection", election(options)).with("ClientConnection", client));
    };
  }

  private static MapNode generic(ComponentOptions options, MapNode client) {
    List<Node> names =
        options.controllers().names().stream().sorted().<Node>map(Node::text).toList();
    return MapNode.of("Port", new Node.Int(options.serving().port()))
        .with("Address", Node.text(options.serving().bindAddress().getHostAddress()))
        .with("ClientConnection", client)
        .with("LeaderElection", election(options))
        .with("Controllers", new Node.Items(names));
  }

  private static MapNode election(ComponentOptions options) {
    ControllerOptions terms = options.controllers();
    return MapNode.of("LeaderElect", terms.elect() ? Node.Bool.TRUE : Node.Bool.FALSE)
        .with("LeaseDuration", duration(terms.duration()))
        .with("RenewDeadline", duration(terms.renewDeadline()))
        .with("RetryPeriod", duration(terms.retryPeriod()))
        .with("ResourceLock", Node.text("leases"))
        .with("ResourceName", Node.text(options.leaseName()))
        .with("ResourceNamespace", Node.text(options.leaseNamespace()));
  }

  private static Node number(double value) {
    return value == Math.rint(value)
        ? new Node.Int((long) value)
        : new Node.Decimal(Double.toString(value));
  }

  private static Node duration(Duration duration) {
    return Node.text(new GoDuration(duration.toNanos()).toString());
  }
}
