package dev.keelson.bench;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.AdmissionRequest;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.policy.PolicyContext;
import dev.keelson.admission.policy.PolicyObserver;
import dev.keelson.admission.policy.PolicySource.Kind;
import dev.keelson.admission.policy.PolicyStore;
import dev.keelson.admission.policy.ValidatingPolicies;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectSink;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.proto.ProtoSchemas;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Measures what ValidatingAdmissionPolicies add to the create of a pod: 1,000 that do not match
 * (the target is below 20 microseconds), and one with five expressions that matches (below 100).
 */
public final class PoliciesBench {

  private static final int WRITES = 200_000;
  private static final UserInfo USER =
      new UserInfo("user-7", "", List.of("system:authenticated"), Map.of());

  private final PrintStream out;
  private final ResourceCatalog catalog =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));

  private PoliciesBench(PrintStream out) {
    this.out = out;
  }

  /** Runs; takes no arguments. */
  public static void main(String[] arguments) {
    PoliciesBench bench = new PoliciesBench(System.out);
    bench.measure("no policy", sink -> {});
    bench.measure(
        "1,000 policies that do not match",
        sink -> {
          for (int i = 0; i < 1_000; i++) {
            bench.add(sink, "p" + i, "deployments", "[{expression: 'true'}]");
          }
        });
    bench.measure(
        "one policy with five expressions",
        sink ->
            bench.add(
                sink,
                "p",
                "pods",
                "[{expression: 'object.spec.containers.all(c, c.image.startsWith(\"registry\"))'},"
                    + " {expression: \"has(object.metadata.labels) && 'app' in"
                    + " object.metadata.labels\"},"
                    + " {expression: '!has(object.spec.hostNetwork) || !object.spec.hostNetwork'},"
                    + " {expression: 'object.spec.containers.size() < 10'},"
                    + " {expression: \"request.userInfo.username != 'eve'\"}]"));
  }

  private void add(ObjectSink<Kind> sink, String name, String resource, String validations) {
    sink.put(
        Kind.VALIDATING_POLICY,
        object(
            "{metadata: {name: "
                + name
                + "}, spec: {failurePolicy: Fail, matchConstraints: {matchPolicy: Equivalent,"
                + " resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: [CREATE,"
                + " UPDATE], resources: ["
                + resource
                + "]}]}, validations: "
                + validations
                + "}}"));
    sink.put(
        Kind.VALIDATING_BINDING,
        object(
            "{metadata: {name: "
                + name
                + "}, spec: {policyName: "
                + name
                + ", validationActions: [Deny]}}"));
  }

  private static ApiObject object(String yaml) {
    return new ApiObject((MapNode) ObjectReader.untypedYaml(yaml.getBytes(StandardCharsets.UTF_8)));
  }

  private void measure(String name, Given given) {
    boolean[] told = new boolean[1];
    PolicyStore store =
        new PolicyStore(
            sink -> {
              if (!told[0]) {
                told[0] = true;
                given.put(sink);
              }
            });
    ValidatingPolicies policies =
        new ValidatingPolicies(
            new PolicyContext(
                store,
                new NoObjects(),
                catalog,
                AlwaysAuthorizer.ALWAYS_ALLOW,
                PolicyObserver.NONE));
    ResourceDefinition pods =
        catalog.snapshot().find(GroupVersion.CORE_V1.resource("pods")).orElseThrow();
    ApiObject pod =
        object(
            "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: a}}, spec: {containers:"
                + " [{name: a, image: registry/a}, {name: b, image: registry/b}]}}");
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
    for (int round = 0; round < 3; round++) {
      long begin = System.nanoTime();
      for (int i = 0; i < WRITES; i++) {
        policies.validate(call);
      }
      double micros = (System.nanoTime() - begin) / 1e3 / WRITES;
      out.printf(Locale.ROOT, "policies, %s: %.2f us a write%n", name, micros);
    }
  }

  /** Puts policies. */
  private interface Given {
    void put(ObjectSink<Kind> sink);
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
