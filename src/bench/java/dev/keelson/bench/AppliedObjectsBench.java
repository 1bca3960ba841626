package dev.keelson.bench;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * {@code kubectl apply} of 500 ConfigMaps to a packaged server, without and with 100 webhook
 * configurations and 1,000 policies that do not match them (limit: 1.1 times). Each round applies
 * to a new namespace, first without and then with them, each on a server of its own. kubectl sends
 * at most 50 requests a second after the first 300, so the CPU of the server tells more than the
 * time.
 */
public final class AppliedObjectsBench {

  private static final int OBJECTS = 500;
  private static final int WEBHOOKS = 100;
  private static final int POLICIES = 1_000;
  private static final int ROUNDS = 3;
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";

  private final PrintStream out;

  private AppliedObjectsBench(PrintStream out) {
    this.out = out;
  }

  /** Runs; takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createTempDirectory("applied-objects");
    try (KeelsonProcess plain = KeelsonProcess.start(directory.resolve("plain"), List.of());
        KeelsonProcess guarded = KeelsonProcess.start(directory.resolve("guarded"), List.of())) {
      new AppliedObjectsBench(System.out).run(directory, plain, guarded);
    }
  }

  private record Applied(long[] wallNanos, long[] cpuNanos) {

    double wallMillis() {
      return wallNanos[wallNanos.length / 2] / 1e6;
    }

    double cpuMillis() {
      return cpuNanos[cpuNanos.length / 2] / 1e6;
    }
  }

  private void run(Path directory, KeelsonProcess plain, KeelsonProcess guarded)
      throws IOException {
    register(RestClient.administrator(guarded));
    Kubectl first = new Kubectl(plain.kubeconfigFile(), directory);
    Kubectl second = new Kubectl(guarded.kubeconfigFile(), directory);
    Applied without = new Applied(new long[ROUNDS], new long[ROUNDS]);
    Applied with = new Applied(new long[ROUNDS], new long[ROUNDS]);
    for (int i = -1; i < ROUNDS; i++) {
      Path file = manifests(directory, "round" + (i + 1));
      measure(plain, first, file, without, i);
      measure(guarded, second, file, with, i);
    }
    Arrays.sort(without.wallNanos);
    Arrays.sort(without.cpuNanos);
    Arrays.sort(with.wallNanos);
    Arrays.sort(with.cpuNanos);
    out.printf(
        Locale.ROOT,
        "kubectl apply of %d objects: %.0f ms, %.0f ms of CPU of the server; with %d webhooks and"
            + " %d policies %.0f ms, %.0f ms: %.2f and %.2f times%n",
        OBJECTS,
        without.wallMillis(),
        without.cpuMillis(),
        WEBHOOKS,
        POLICIES,
        with.wallMillis(),
        with.cpuMillis(),
        with.wallMillis() / without.wallMillis(),
        with.cpuMillis() / without.cpuMillis());
  }

  private static void measure(
      KeelsonProcess server, Kubectl kubectl, Path file, Applied applied, int round) {
    Duration cpu = server.cpuTime();
    long begin = System.nanoTime();
    String unused = kubectl.run("apply", "-f", file.toString());
    int at = Math.max(round, 0);
    applied.wallNanos[at] = System.nanoTime() - begin;
    applied.cpuNanos[at] = server.cpuTime().minus(cpu).toNanos();
  }

  private static Path manifests(Path directory, String namespace) throws IOException {
    StringBuilder yaml = new StringBuilder();
    yaml.append("apiVersion: v1\nkind: Namespace\nmetadata: {name: ")
        .append(namespace)
        .append("}\n");
    for (int i = 0; i < OBJECTS - 1; i++) {
      yaml.append("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m")
          .append(i)
          .append(", namespace: ")
          .append(namespace)
          .append(", labels: {app: a}}\ndata: {key: value}\n");
    }
    return Files.writeString(directory.resolve(namespace + ".yaml"), yaml);
  }

  private static void register(RestClient client) {
    for (int i = 0; i < WEBHOOKS; i++) {
      created(
          client.post(
              GROUP + "validatingwebhookconfigurations",
              "{\"metadata\":{\"name\":\"w%d\"},\"webhooks\":[{\"name\":\"a.b.c\",".formatted(i)
                  + "\"admissionReviewVersions\":[\"v1\"],\"sideEffects\":\"None\","
                  + "\"clientConfig\":{\"url\":\"https://127.0.0.1:1\"},"
                  + "\"objectSelector\":{\"matchLabels\":{\"app\":\"b\"}},"
                  + "\"rules\":["
                  + rule("configmaps")
                  + "]}]}"));
    }
    for (int i = 0; i < POLICIES; i++) {
      created(
          client.post(
              GROUP + "validatingadmissionpolicies",
              "{\"metadata\":{\"name\":\"p%d\"},\"spec\":{\"matchConstraints\":{".formatted(i)
                  + "\"resourceRules\":["
                  + rule("secrets")
                  + "]},\"validations\":[{\"expression\":\"false\"}]}}"));
      created(
          client.post(
              GROUP + "validatingadmissionpolicybindings",
              "{\"metadata\":{\"name\":\"p%1$d\"},\"spec\":{\"policyName\":\"p%1$d\",".formatted(i)
                  + "\"validationActions\":[\"Deny\"]}}"));
    }
  }

  private static String rule(String resource) {
    return "{\"apiGroups\":[\"\"],\"apiVersions\":[\"v1\"],\"operations\":[\"CREATE\",\"UPDATE\"],"
        + "\"resources\":[\""
        + resource
        + "\"]}";
  }

  private static void created(Response response) {
    if (response.statusCode() != 201) {
      throw new IllegalStateException(response.asString());
    }
  }
}
