package dev.keelson.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.net.httpserver.HttpExchange;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.AdmissionRequest;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.webhook.MatchingFilter;
import dev.keelson.admission.webhook.MutatingWebhooks;
import dev.keelson.admission.webhook.ValidatingWebhooks;
import dev.keelson.admission.webhook.Webhook;
import dev.keelson.admission.webhook.WebhookCaller;
import dev.keelson.admission.webhook.WebhookMetrics;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.WebhookServer;
import dev.keelson.webhook.Credentials;
import dev.keelson.webhook.WebhookClient;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Measures what webhooks add to the create of a pod: 100 configurations that do not match (the
 * target is below 20 microseconds of CPU), and one validating webhook on the same machine (below
 * 0.15 ms of CPU and 1 ms of latency). The webhook is a process of its own, so that its CPU is not
 * in the figure.
 */
public final class WebhooksBench {

  private static final int WRITES = 200_000;
  private static final int CALLS = 20_000;
  private static final int ROUNDS = 4;
  private static final UserInfo USER =
      new UserInfo("user-7", "", List.of("system:authenticated"), Map.of());

  private final PrintStream out;
  private final WebhookCaller caller;
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final ResourceCatalog catalog =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));

  private WebhooksBench(PrintStream out, WebhookClient client) {
    this.out = out;
    this.caller = new WebhookCaller(() -> client, Credentials.NONE, UUID::randomUUID);
  }

  /** Runs; takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length == 1 && arguments[0].equals(WebhookProcess.SERVE)) {
      WebhookProcess.serve(WebhooksBench::allow);
      return;
    }
    try (WebhookProcess server = WebhookProcess.start(WebhooksBench.class);
        WebhookClient client =
            new WebhookClient(
                (namespace, name, port) -> {
                  throw new IllegalStateException("there are no services");
                })) {
      WebhooksBench bench = new WebhooksBench(System.out, client);
      List<Webhook> others = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        others.addAll(bench.webhooks("others" + i, server, "deployments", ""));
      }
      bench.measure("no webhook", List.of(), WRITES);
      bench.measure("100 configurations of another resource", others, WRITES);
      List<Webhook> unselected = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        unselected.addAll(
            bench.webhooks(
                "unselected" + i, server, "pods", ", objectSelector: {matchLabels: {x: z}}"));
      }
      bench.measure("100 configurations of other labels", unselected, CALLS);
      bench.measure("one webhook", bench.webhooks("one", server, "pods", ""), CALLS);
    }
  }

  private static void allow(HttpExchange exchange, byte[] body) throws IOException {
    MapNode review = (MapNode) ObjectReader.untypedJson(body);
    MapNode response =
        MapNode.of("allowed", Node.Bool.TRUE)
            .with("uid", Node.text(review.map("request").text("uid")));
    WebhookServer.respond(
        exchange,
        200,
        new String(
            ObjectWriter.json(review.without("request").with("response", response)),
            StandardCharsets.UTF_8));
  }

  private List<Webhook> webhooks(
      String name, WebhookProcess server, String resource, String selector) {
    MapNode configuration =
        tree(
            "{webhooks: [{name: "
                + name
                + ".hooks.example, admissionReviewVersions: [v1], sideEffects: None, failurePolicy:"
                + " Fail, matchPolicy: Equivalent, timeoutSeconds: 10, clientConfig: {url: '"
                + server.url()
                + "', caBundle: "
                + Base64.getEncoder()
                    .encodeToString(server.pem().getBytes(StandardCharsets.US_ASCII))
                + "}, rules: [{apiGroups: ['*'], apiVersions: ['*'], operations: [CREATE, UPDATE],"
                + " resources: ["
                + resource
                + "]}]"
                + selector
                + "}]}");
    MatchingFilter.Context context =
        new MatchingFilter.Context(catalog, new NoObjects(), AlwaysAuthorizer.ALWAYS_ALLOW);
    return Webhook.of(name, configuration, hook -> new MatchingFilter(hook, context));
  }

  private static MapNode tree(String yaml) {
    return (MapNode) ObjectReader.untypedYaml(yaml.getBytes(StandardCharsets.UTF_8));
  }

  private void measure(String name, List<Webhook> webhooks, int writes) {
    MutatingWebhooks mutating =
        new MutatingWebhooks(step -> List.of(), caller, catalog, WebhookMetrics.NONE);
    ValidatingWebhooks validating =
        new ValidatingWebhooks(step -> webhooks, caller, catalog, WebhookMetrics.NONE);
    ResourceDefinition pods =
        catalog.snapshot().find(GroupVersion.CORE_V1.resource("pods")).orElseThrow();
    ApiObject pod =
        new ApiObject(
            tree(
                "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: a}}, spec:"
                    + " {containers: [{name: a, image: registry/a}, {name: b, image:"
                    + " registry/b}]}}"));
    for (int round = 0; round < ROUNDS; round++) {
      long[] took = new long[writes];
      long cpu = system.getProcessCpuTime();
      for (int i = 0; i < writes; i++) {
        long begin = System.nanoTime();
        AdmissionAttributes call =
            new AdmissionAttributes(
                Verb.CREATE,
                pods,
                "",
                "default",
                "p",
                pod,
                null,
                AdmissionRequest.of(USER, false, warning -> {}));
        ApiObject unused = mutating.mutate(call, pod);
        validating.validate(call);
        took[i] = System.nanoTime() - begin;
      }
      double micros = (system.getProcessCpuTime() - cpu) / 1e3 / writes;
      Arrays.sort(took);
      out.printf(
          Locale.ROOT,
          "webhooks, %s: %.2f us of CPU a write, p50 %.2f us, p99 %.2f us%n",
          name,
          micros,
          took[writes / 2] / 1e3,
          took[writes / 100 * 99] / 1e3);
    }
  }

  /** There is nothing in the cluster. */
  private static final class NoObjects implements ClusterObjects {
    @Override
    public Optional<ApiObject> serviceAccount(String namespace, String name) {
      return Optional.empty();
    }

    @Override
    public List<ApiObject> priorityClasses() {
      return List.of();
    }

    @Override
    public Optional<ApiObject> runtimeClass(String name) {
      return Optional.empty();
    }

    @Override
    public Optional<ApiObject> find(GroupVersionResource resource, String namespace, String name) {
      return Optional.empty();
    }

    @Override
    public Optional<ApiObject> priorityClass(String name) {
      return Optional.empty();
    }

    @Override
    public List<Supplier<ApiObject>> list(GroupVersionResource resource, String namespace) {
      return List.of();
    }
  }
}
