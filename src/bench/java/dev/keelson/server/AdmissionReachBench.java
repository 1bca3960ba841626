package dev.keelson.server;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.WriteOptions;
import dev.keelson.schema.codec.ObjectReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * The time from the answered write of a webhook configuration, or of the binding of a policy, to
 * its effect on another server of the same store (limit: p99 100 ms). The other server creates
 * ConfigMaps as dry runs, one after another, until one is rejected.
 */
public final class AdmissionReachBench {

  private static final int WARM_UP = 100;
  private static final int ROUNDS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final GroupVersion REGISTRATION =
      new GroupVersion("admissionregistration.k8s.io", "v1");
  private static final GroupVersionResource MAPS = GroupVersion.CORE_V1.resource("configmaps");
  private static final String SELECTED = "objectSelector: {matchLabels: {round: '%d'}}";
  private static final String RULES =
      "[{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]";

  private final ComposedServer first;
  private final ComposedServer second;

  /** The number of registrations so far. */
  private int rounds;

  private AdmissionReachBench(TwoServers servers) {
    this.first = servers.first();
    this.second = servers.second();
  }

  /** Prints a line for webhooks and one for policies. */
  public static void main(String... arguments) throws Exception {
    try (TwoServers servers = TwoServers.start("admission-reach-bench")) {
      AdmissionReachBench bench = new AdmissionReachBench(servers);
      bench.measure("webhook configuration", bench::webhook);
      bench.measure("policy and its binding", bench::policy);
    }
  }

  /** Registers what rejects ConfigMaps with the label of a round. */
  private interface Registration {
    void register(int round);
  }

  private void measure(String name, Registration registration) {
    long[] took = new long[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++) {
      int round = rounds++;
      registration.register(round);
      long answered = System.nanoTime();
      while (!isRejected(round)) {
        if (System.nanoTime() - answered > PATIENCE.toNanos()) {
          throw new IllegalStateException(name + " has no effect on the other server");
        }
      }
      took[Math.max(i, 0)] = System.nanoTime() - answered;
    }
    Arrays.sort(took);
    System.out.printf(
        Locale.ROOT,
        "%s on another server: p50 %.1f ms, p99 %.1f ms, max %.1f ms%n",
        name,
        took[ROUNDS / 2] / 1e6,
        took[ROUNDS * 99 / 100] / 1e6,
        took[ROUNDS - 1] / 1e6);
  }

  private boolean isRejected(int round) {
    Collection maps =
        new Collection(second.catalog().snapshot().find(MAPS).orElseThrow(), "default");
    MapNode metadata =
        MapNode.of("name", Node.text("m"))
            .with("labels", MapNode.of("round", Node.text(Integer.toString(round))));
    ApiObject map = new ApiObject(MapNode.of("metadata", metadata)).withType("v1", "ConfigMap");
    try {
      Object unused = second.registry().create(maps, map, WriteOptions.DRY_RUN);
      return false;
    } catch (ApiException e) {
      return true;
    }
  }

  /** A webhook that nobody can reach, and whose failure rejects. */
  private void webhook(int round) {
    create(
        "validatingwebhookconfigurations",
        "{metadata: {name: w%d}, webhooks: [{name: a.b.c, admissionReviewVersions: [v1],"
                .formatted(round)
            + " sideEffects: None, clientConfig: {url: 'https://127.0.0.1:1'}, rules: "
            + RULES
            + ", "
            + SELECTED.formatted(round)
            + "}]}");
  }

  private void policy(int round) {
    create(
        "validatingadmissionpolicies",
        "{metadata: {name: p%d}, spec: {matchConstraints: {resourceRules: ".formatted(round)
            + RULES
            + ", "
            + SELECTED.formatted(round)
            + "}, validations: [{expression: 'false'}]}}");
    create(
        "validatingadmissionpolicybindings",
        "{metadata: {name: p%1$d}, spec: {policyName: p%1$d, validationActions: [Deny]}}"
            .formatted(round));
  }

  private void create(String resource, String yaml) {
    MapNode root = (MapNode) ObjectReader.untypedYaml(yaml.getBytes(StandardCharsets.UTF_8));
    ApiObject unused =
        first.client().create(REGISTRATION.resource(resource), "", new ApiObject(root));
  }
}
