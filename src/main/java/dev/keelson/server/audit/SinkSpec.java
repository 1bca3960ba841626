package dev.keelson.server.audit;

import dev.keelson.audit.AuditConfig;
import dev.keelson.audit.delivery.BatchOptions.Throttle;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.Stage;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.webhook.ClientConfig;
import java.util.EnumSet;
import java.util.Set;

/**
 * What an AuditSink asks for.
 *
 * @param name of the object
 * @param config how requests are recorded: without a stage, not at all
 * @param throttle how many batches are sent at most
 * @param client where they are sent to
 */
record SinkSpec(String name, AuditConfig config, Throttle throttle, ClientConfig client) {

  private static final int QPS = 10;
  private static final int BURST = 15;

  /** Reads an object, which validation has checked. */
  static SinkSpec of(ApiObject object) {
    MapNode spec = object.root().map("spec");
    MapNode policy = spec.map("policy");
    MapNode webhook = spec.map("webhook");
    MapNode throttle = webhook.map("throttle");
    return new SinkSpec(
        object.meta().name(),
        new AuditConfig(
            Level.ofWord(policy.text("level")).orElse(Level.NONE), omitted(policy), false),
        new Throttle(number(throttle, "qps", QPS), number(throttle, "burst", BURST)),
        ClientConfig.of(webhook.map("clientConfig")));
  }

  /** The stages that the policy does not name. */
  private static Set<Stage> omitted(MapNode policy) {
    Set<Stage> omitted = EnumSet.allOf(Stage.class);
    for (Node each : policy.items("stages")) {
      if (each instanceof Node.Text word) {
        Stage.ofWord(word.value()).ifPresent(omitted::remove);
      }
    }
    return omitted;
  }

  private static int number(MapNode map, String field, int otherwise) {
    return map.get(field) instanceof Node.Int number
        ? Math.clamp(number.value(), 1, Integer.MAX_VALUE)
        : otherwise;
  }
}
