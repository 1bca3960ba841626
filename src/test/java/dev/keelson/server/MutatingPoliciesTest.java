package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.Eventually;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reinvocation, params and equivalent versions, in the manner of Kubernetes'
 * mutatingadmissionpolicy_test.go.
 */
@Timeout(120)
class MutatingPoliciesTest {

  private static final GroupVersion GROUP = new GroupVersion("admissionregistration.k8s.io", "v1");
  private static final GroupVersionResource MAPS = GroupVersion.CORE_V1.resource("configmaps");
  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");
  private static final GroupVersionResource DEFINITIONS =
      new GroupVersion("apiextensions.k8s.io", "v1").resource("customresourcedefinitions");
  private static final GroupVersion PANDAS = new GroupVersion("bears.example.com", "v1");

  private static final String ON_MAPS =
      "resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE, UPDATE],"
          + " resources: [configmaps]}]";

  private final Vertx vertx = Vertx.vertx();
  private ComposedServer server;

  @BeforeEach
  void start(@TempDir Path directory) {
    server =
        ComposedServer.of(
            OpenedResources.open(
                CustomTypesContract.options(
                    List.of(
                        "--data-dir=" + directory, "--secure-port=0", "--authorization-mode=RBAC")),
                InstantSource.system()),
            vertx);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
    Eventually.assertEventually(
        () -> assertThat(server.client().get(NAMESPACES, "", "default")).isPresent());
  }

  @AfterEach
  void stop() throws Exception {
    int running = server.server().stop();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  private ApiObject create(GroupVersionResource resource, String namespace, String yaml) {
    return server
        .client()
        .create(
            resource,
            namespace,
            new ApiObject(
                (MapNode) ObjectReader.untypedYaml(yaml.getBytes(StandardCharsets.UTF_8))));
  }

  private void policy(String kind, String name, String spec, String binding) {
    ApiObject policy =
        create(
            GROUP.resource(kind.toLowerCase(Locale.ROOT).replace("policy", "policies")),
            "",
            "{apiVersion: admissionregistration.k8s.io/v1, kind: "
                + kind
                + ", metadata: {name: "
                + name
                + "}, spec: {"
                + spec
                + "}}");
    ApiObject bound =
        create(
            GROUP.resource(kind.toLowerCase(Locale.ROOT) + "bindings"),
            "",
            "{apiVersion: admissionregistration.k8s.io/v1, kind: "
                + kind
                + "Binding, metadata: {name: "
                + name
                + "}, spec: {policyName: "
                + name
                + binding
                + "}}");
    assertThat(bound.meta().name()).isEqualTo(policy.meta().name());
  }

  private void mutating(String name, String reinvocation, String spec, String binding) {
    policy(
        "MutatingAdmissionPolicy",
        name,
        "reinvocationPolicy: " + reinvocation + ", " + spec,
        binding);
  }

  private static String annotations(String annotations) {
    return "{patchType: ApplyConfiguration, applyConfiguration: {expression: \"Object{metadata:"
        + " Object.metadata{annotations: "
        + annotations
        + "}}\"}}";
  }

  private static String counting(String mark) {
    return "matchConstraints: {"
        + ON_MAPS
        + "}, matchConditions: [{name: counts, expression: \"object.metadata.name == 'counter'\"}],"
        + " mutations: ["
        + annotations(
            "{'count': string(int(object.metadata.annotations['count']) + 1), '"
                + mark
                + "': 'yes'}")
        + "]";
  }

  private Map<String, String> counted() {
    return create(
            MAPS,
            "default",
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: counter, annotations: {count:"
                + " '0'}}}")
        .meta()
        .annotations();
  }

  @Test
  void reinvocation_isOfThePoliciesThatWantIt_andOnce() {
    mutating("policy-1", "IfNeeded", counting("first"), "");
    mutating("policy-2", "IfNeeded", counting("second"), "");
    mutating("policy-3", "Never", counting("third"), "");

    assertThat(counted())
        .containsEntry("count", "5")
        .containsEntry("first", "yes")
        .containsEntry("second", "yes")
        .containsEntry("third", "yes");
  }

  @Test
  void reinvocation_isAlsoOfTheLastPolicyThatChangedTheObject() {
    mutating("only", "IfNeeded", counting("first"), "");

    assertThat(counted()).containsEntry("count", "2");
  }

  @Test
  void reinvocation_isNotOfPoliciesThatNeverWantIt() {
    mutating("only", "Never", counting("first"), "");

    assertThat(counted()).containsEntry("count", "1");
  }

  @Test
  void reinvocation_isByParam() {
    for (String each : List.of("one", "two")) {
      ApiObject param =
          create(
              MAPS,
              "default",
              "{apiVersion: v1, kind: ConfigMap, metadata: {name: "
                  + each
                  + ", labels: {param: 'true'}}, data: {"
                  + each
                  + ": 'yes'}}");
      assertThat(param.meta().name()).isEqualTo(each);
    }
    mutating(
        "params",
        "IfNeeded",
        "paramKind: {apiVersion: v1, kind: ConfigMap}, "
            + counting("first")
                .replace("mutations: [", "mutations: [" + annotations("params.data") + ", "),
        ", paramRef: {selector: {matchLabels: {param: 'true'}}, parameterNotFoundAction: Allow}");
    mutating("then", "Never", counting("third"), "");

    assertThat(counted())
        .containsEntry("count", "5")
        .containsEntry("one", "yes")
        .containsEntry("two", "yes")
        .containsEntry("third", "yes");
  }

  private void definePandas() {
    String schema =
        "schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}";
    ApiObject definition =
        create(
            DEFINITIONS,
            "",
            "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name:"
                + " pandas.bears.example.com}, spec: {group: bears.example.com, scope: Cluster,"
                + " names: {plural: pandas, singular: panda, kind: Panda, listKind: PandaList},"
                + " versions: [{name: v1, served: true, storage: true, "
                + schema
                + "}, {name: v2, served: true, storage: false, "
                + schema
                + "}]}}");
    assertThat(definition.meta().name()).isEqualTo("pandas.bears.example.com");
    Eventually.assertEventually(
        () -> assertThat(server.catalog().current().find(PANDAS.resource("pandas"))).isPresent());
  }

  private static String panda(String version, String name, String fields) {
    return "{apiVersion: bears.example.com/"
        + version
        + ", kind: Panda, metadata: {name: "
        + name
        + "}"
        + fields
        + "}";
  }

  @Test
  void customObjects_areMutatedInEveryVersion() {
    definePandas();
    mutating(
        "pandas",
        "IfNeeded",
        "matchConstraints: {resourceRules: [{apiGroups: [bears.example.com], apiVersions: [v1],"
            + " operations: ['*'], resources: [pandas]}]}, mutations: ["
            + annotations("{'mutated': request.kind.version + request.requestKind.version}")
            + "]",
        "");

    assertThat(create(PANDAS.resource("pandas"), "", panda("v1", "one", "")).meta().annotations())
        .containsEntry("mutated", "v1v1");
    ApiObject second =
        create(
            new GroupVersion("bears.example.com", "v2").resource("pandas"),
            "",
            panda("v2", "two", ""));
    assertThat(second.meta().annotations()).containsEntry("mutated", "v1v2");
  }

  @Test
  void customObjects_areParams_asTheyAreAtTheWrite() {
    definePandas();
    mutating(
        "ruled",
        "Never",
        "paramKind: {apiVersion: bears.example.com/v2, kind: Panda}, matchConstraints: {"
            + ON_MAPS
            + "}, mutations: ["
            + annotations("{'size': string(params.size) + params.apiVersion}")
            + "]",
        ", paramRef: {name: ruler, parameterNotFoundAction: Deny}");
    ApiException missing =
        catchThrowableOfType(
            ApiException.class,
            () ->
                create(MAPS, "default", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"));
    assertThat(missing.text()).contains("no params found for policy binding with `Deny`");

    ApiObject ruler = create(PANDAS.resource("pandas"), "", panda("v1", "ruler", ", size: 3"));

    assertThat(ruler.meta().name()).isEqualTo("ruler");
    assertThat(
            create(MAPS, "default", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")
                .meta()
                .annotations())
        .containsEntry("size", "3bears.example.com/v2");
  }

  private static final String ON_SCALERS =
      "resourceRules: [{apiGroups: [autoscaling], apiVersions: [v1], operations: [CREATE],"
          + " resources: [horizontalpodautoscalers]}]";

  private ApiObject scaler(String name, int percentage) {
    return create(
        new GroupVersion("autoscaling", "v2").resource("horizontalpodautoscalers"),
        "default",
        "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: "
            + name
            + "}, spec: {scaleTargetRef: {kind: Deployment, name: d, apiVersion: apps/v1},"
            + " maxReplicas: 3, metrics: [{type: Resource, resource: {name: cpu, target: {type:"
            + " Utilization, averageUtilization: "
            + percentage
            + "}}}]}}");
  }

  @Test
  void equivalentVersion_isWhatThePolicySees_andChanges() {
    policy(
        "ValidatingAdmissionPolicy",
        "scalers",
        "matchConstraints: {"
            + ON_SCALERS
            + "}, validations: [{expression: object.spec.targetCPUUtilizationPercentage < 70}]",
        ", validationActions: [Deny]");
    policy(
        "ValidatingAdmissionPolicy",
        "exact",
        "matchConstraints: {matchPolicy: Exact, "
            + ON_SCALERS
            + "}, validations: [{expression: 'false'}]",
        ", validationActions: [Deny]");
    mutating(
        "scalers",
        "Never",
        "matchConstraints: {"
            + ON_SCALERS
            + "}, mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op:"
            + " 'replace', path: '/spec/targetCPUUtilizationPercentage', value:"
            + " object.spec.targetCPUUtilizationPercentage + 1}]\"}}]",
        "");

    mutating(
        "scalers-second",
        "Never",
        "matchConstraints: {"
            + ON_SCALERS.replace("[v1]", "[v2]")
            + "}, mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op:"
            + " 'replace', path: '/spec/maxReplicas', value: object.spec.maxReplicas + 1}]\"}}]",
        "");

    MapNode spec = scaler("low", 50).root().map("spec");
    assertThat(spec.get("maxReplicas")).isEqualTo(new Node.Int(4));
    Node metric = spec.items("metrics").getFirst();
    assertThat(((MapNode) metric).map("resource").map("target").get("averageUtilization"))
        .isEqualTo(new Node.Int(51));
    ApiException refused = catchThrowableOfType(ApiException.class, () -> scaler("high", 80));
    assertThat(refused.text())
        .isEqualTo(
            "horizontalpodautoscalers.autoscaling \"high\" is forbidden: ValidatingAdmissionPolicy"
                + " 'scalers' with binding 'scalers' denied request: failed expression:"
                + " object.spec.targetCPUUtilizationPercentage < 70");
  }
}
