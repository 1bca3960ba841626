package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.AdmissionScope;
import dev.keelson.registry.Collection;
import dev.keelson.registry.WriteOptions;
import dev.keelson.request.Deadline;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.Eventually;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server, and policies that its requests create. */
@Timeout(120)
abstract class PoliciesContract {

  static final GroupVersion GROUP = new GroupVersion("admissionregistration.k8s.io", "v1");
  static final GroupVersionResource VALIDATING = GROUP.resource("validatingadmissionpolicies");
  static final GroupVersionResource VALIDATING_BINDINGS =
      GROUP.resource("validatingadmissionpolicybindings");
  static final GroupVersionResource MUTATING = GROUP.resource("mutatingadmissionpolicies");
  static final GroupVersionResource MUTATING_BINDINGS =
      GROUP.resource("mutatingadmissionpolicybindings");
  static final GroupVersionResource MAPS = GroupVersion.CORE_V1.resource("configmaps");
  static final GroupVersionResource NAMESPACES = GroupVersion.CORE_V1.resource("namespaces");
  static final GroupVersionResource DEPLOYMENTS =
      new GroupVersion("apps", "v1").resource("deployments");

  private final Vertx vertx = Vertx.vertx();
  final List<String> warnings = new ArrayList<>();
  final Map<String, String> annotations = new LinkedHashMap<>();
  ComposedServer server;
  OpenedResources opened;

  @BeforeEach
  void start(@TempDir Path directory) {
    opened =
        OpenedResources.open(
            CustomTypesContract.options(
                List.of("--data-dir=" + directory, "--secure-port=0", "--authorization-mode=RBAC")),
            InstantSource.system());
    server = ComposedServer.of(opened, vertx);
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

  static ApiObject object(String yaml) {
    return new ApiObject((MapNode) ObjectReader.untypedYaml(yaml.getBytes(StandardCharsets.UTF_8)));
  }

  final ApiObject create(GroupVersionResource resource, String namespace, String yaml) {
    return create(resource, namespace, object(yaml), WriteOptions.SERVER);
  }

  final ApiObject create(
      GroupVersionResource resource, String namespace, ApiObject object, UserInfo user) {
    warnings.clear();
    annotations.clear();
    WriteOptions options =
        new WriteOptions(
            false,
            "test",
            user,
            warnings::add,
            () -> {},
            new AdmissionScope(
                Verb.UPDATE, true, MapNode.EMPTY, annotations::putIfAbsent, Deadline.none()));
    return server
        .registry()
        .served(server.registry().create(collection(resource, namespace), object, options));
  }

  final Collection collection(GroupVersionResource resource, String namespace) {
    return new Collection(server.catalog().snapshot().find(resource).orElseThrow(), namespace);
  }

  final ApiException refusal(GroupVersionResource resource, String namespace, String yaml) {
    return catchThrowableOfType(ApiException.class, () -> create(resource, namespace, yaml));
  }

  static String map(String name, String value) {
    return "{apiVersion: v1, kind: ConfigMap, metadata: {name: "
        + name
        + "}, data: {x: '"
        + value
        + "'}}";
  }

  static String matching(String resources, String group) {
    return "  matchConstraints:\n"
        + "    resourceRules:\n"
        + "    - {apiGroups: ['"
        + group
        + "'], apiVersions: [v1], operations: [CREATE, UPDATE],"
        + " resources: ["
        + resources
        + "]}\n";
  }

  final void validating(String name, String spec, String binding) {
    ApiObject policy =
        create(
            VALIDATING,
            "",
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n"
                + "metadata: {name: "
                + name
                + "}\nspec:\n"
                + matching("configmaps", "")
                + spec);
    assertThat(policy.meta().generation()).isEqualTo(1);
    ApiObject bound =
        create(
            VALIDATING_BINDINGS,
            "",
            "apiVersion: admissionregistration.k8s.io/v1\n"
                + "kind: ValidatingAdmissionPolicyBinding\n"
                + "metadata: {name: "
                + name
                + "-binding}\nspec:\n  policyName: "
                + name
                + "\n"
                + binding);
    assertThat(bound.meta().name()).isEqualTo(name + "-binding");
  }

  final void mutating(String name, String spec) {
    ApiObject policy =
        create(
            MUTATING,
            "",
            "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\n"
                + "metadata: {name: "
                + name
                + "}\nspec:\n  reinvocationPolicy: Never\n"
                + spec);
    assertThat(policy.meta().generation()).isEqualTo(1);
    ApiObject bound =
        create(
            MUTATING_BINDINGS,
            "",
            "apiVersion: admissionregistration.k8s.io/v1\n"
                + "kind: MutatingAdmissionPolicyBinding\n"
                + "metadata: {name: "
                + name
                + "-binding}\nspec: {policyName: "
                + name
                + "}\n");
    assertThat(bound.meta().name()).isEqualTo(name + "-binding");
  }
}
