package dev.keelson.registry.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.Collection;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CreationTest extends RegistryTest {

  /** Draws the first letter for the names before {@code changes}, then others. */
  private record Repeating(int changes, AtomicInteger drawn) implements RandomGenerator {
    @Override
    public long nextLong() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int nextInt(int bound) {
      return Math.max(0, drawn.getAndIncrement() / 5 - changes + 1);
    }
  }

  CreationTest(@TempDir Path directory) {
    super(directory);
  }

  @Test
  void create_completesTheMetadata() {
    ApiObject created =
        api.create(
            "apps/v1",
            "deployments",
            "default",
            "{'metadata':{'name':'web','uid':'mine','creationTimestamp':'2001-01-01T00:00:00Z',"
                + "'generation':7,'selfLink':'/x','deletionTimestamp':'2001-01-01T00:00:00Z',"
                + "'deletionGracePeriodSeconds':5}}");

    assertThat(UUID.fromString(created.meta().uid()).version()).isEqualTo(4);
    assertThat(created.meta().creationTimestamp()).isEqualTo("2030-01-02T03:04:05Z");
    assertThat(created.meta().generation()).isEqualTo(1);
    assertThat(created.meta().namespace()).isEqualTo("default");
    assertThat(created.meta().resourceVersion()).isEqualTo(Long.toString(api.store().revision()));
    assertThat(created.meta().node().keys())
        .doesNotContain("selfLink", "deletionTimestamp", "deletionGracePeriodSeconds");
    assertThat(LocalApi.json(created.root()))
        .isEqualTo(LocalApi.json(api.get("apps/v1", "deployments", "default", "web").root()))
        .startsWith("{'kind':'Deployment','apiVersion':'apps/v1','metadata':{'name':'web',");
  }

  @Test
  void create_ofAKindWithoutGenerations_keepsThatOfTheClient() {
    ApiObject created = configMap("{'metadata':{'name':'a','generation':3}}");

    assertThat(created.meta().generation()).isEqualTo(3);
    assertThat(causes(() -> configMap("{'metadata':{'name':'b','generation':-3}}")))
        .containsExactly(
            "metadata.generation: Invalid value: -3: must be greater than or equal to 0");
  }

  @Test
  void create_thatIsOnlyTooLargeWithItsManagers_isStoredWithoutThem() {
    ApiObject created = configMap("{'metadata':{'name':'a'},'data':{%s}}".formatted(longKeys()));

    assertThat(created.root().map("data").size()).isEqualTo(9999);
    assertThat(created.meta().node().has("managedFields")).isFalse();
    assertThat(LocalApi.json(created.root()))
        .isEqualTo(LocalApi.json(api.get("v1", "configmaps", "default", "a").root()));
  }

  /** Entries that take most of what the store takes, and so do their owners. */
  static String longKeys() {
    return IntStream.range(0, 9999)
        .mapToObj(i -> "'%s-%d':'A'".formatted("long".repeat(18), i))
        .collect(Collectors.joining(","));
  }

  @Test
  void create_withManagersThatNobodyMayBe_isInvalid() {
    String entry =
        "{'manager':'%s','operation':'Update','apiVersion':'v1','fieldsType':'FieldsV1',"
            + "'fieldsV1':{'f:data':{}},'subresource':'%s'}";
    String body = "{'metadata':{'name':'a','managedFields':[%s]}}";

    assertThat(
            causes(
                () -> configMap(body.formatted(entry.formatted("a".repeat(129), "s".repeat(257))))))
        .containsExactly(
            "metadata.managedFields[0].manager: Too long: may not be more than 128 bytes",
            "metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes");
    assertThat(configMap(body.formatted(entry.formatted("a", "s"))).meta().name()).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "apps/", "a/b/c"})
  void create_withAnOwnerOfNoVersion_isInvalid(String version) {
    String owner = "{'apiVersion':'%s','kind':'Pod','name':'p','uid':'u'}".formatted(version);

    assertThat(
            causes(
                () ->
                    configMap("{'metadata':{'name':'a','ownerReferences':[%s]}}".formatted(owner))))
        .containsExactly(
            "metadata.ownerReferences.apiVersion: Invalid value: \"%s\": version must not be empty"
                .formatted(version));
  }

  @Test
  void create_warnsOnlyOfWhatIsValid(@TempDir Path directory) {
    List<String> warnings = new ArrayList<>();
    WriteOptions options = new WriteOptions(true, "test", WriteOptions.SERVER, warnings::add);
    try (LocalApi strict = LocalApi.openStrict(directory)) {
      ApiObject named = strict.smallest("v1", "pods", "a.b");
      ApiObject nameless = named.withMeta(named.meta().without("name"));
      Collection pods = strict.collection("v1", "pods", "default");

      refusal(Reason.INVALID, () -> strict.registry().create(pods, nameless, options));
      assertThat(warnings).isEmpty();
      StoredObject created = strict.registry().create(pods, named, options);

      assertThat(strict.served(created).meta().name()).isEqualTo("a.b");
      assertThat(warnings).singleElement().asString().contains("a DNS label is recommended");
    }
  }

  @Test
  void create_twice_saysThatItExists() {
    ApiObject first = configMap("{'metadata':{'name':'a'}}");

    ApiException refusal =
        refusal(Reason.ALREADY_EXISTS, () -> configMap("{'metadata':{'name':'a'}}"));

    assertThat(refusal).hasMessage("configmaps \"a\" already exists");
    assertThat(refusal.details().name()).isEqualTo("a");
    assertThat(refusal.details().kind()).isEqualTo("configmaps");
    assertThat(api.get("v1", "configmaps", "default", "a")).isEqualTo(first);
  }

  @Test
  void create_underTheNameOfAnObjectThatIsBeingDeleted_saysSo() {
    ApiObject held = configMap("{'metadata':{'name':'a','finalizers':['example.com/hold']}}");
    api.registry()
        .delete(
            api.collection("v1", "configmaps", "default"),
            held.meta().name(),
            DeleteQuery.UNCONDITIONAL,
            WriteOptions.PERSIST);

    ApiException refusal =
        refusal(Reason.ALREADY_EXISTS, () -> configMap("{'metadata':{'name':'a'}}"));

    assertThat(refusal).hasMessage("object is being deleted: configmaps \"a\" already exists");
  }

  @Test
  void create_underATakenName_tellsOfTheNameThatCouldBeGenerated() {
    ApiObject first = configMap("{'metadata':{'name':'a'}}");

    ApiException refusal =
        refusal(
            Reason.ALREADY_EXISTS, () -> configMap("{'metadata':{'name':'a','generateName':'b'}}"));

    assertThat(refusal)
        .hasMessage(
            "configmaps \"a\" already exists, the server was not able to generate a unique name"
                + " for the object");
    assertThat(refusal.details().retryAfterSeconds()).isEqualTo(1);
    assertThat(api.get("v1", "configmaps", "default", "a")).isEqualTo(first);
  }

  @Test
  void create_withoutAName_isInvalid() {
    ApiException refusal = refusal(Reason.INVALID, () -> configMap("{}"));

    assertThat(refusal)
        .hasMessage(
            "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is"
                + " required");
    assertThat(refusal.details().kind()).isEqualTo("ConfigMap");
  }

  @Test
  void create_withGenerateName_makesAName() {
    ApiObject created = configMap("{'metadata':{'generateName':'web-'}}");

    assertThat(created.meta().generateName()).isEqualTo("web-");
    assertThat(created.meta().name()).matches("web-[bcdfghjklmnpqrstvwxz2456789]{5}");
    assertThat(configMap("{'metadata':{'generateName':'web-'}}").meta().name())
        .isNotEqualTo(created.meta().name());
  }

  @Test
  void create_withGenerateName_triesEightNames(@TempDir Path directory) {
    // the first object takes the first name, and the second finds a free one at its last attempt
    try (LocalApi lucky = LocalApi.open(directory, new Repeating(8, new AtomicInteger()))) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        names.add(
            lucky
                .create("v1", "configmaps", "default", "{'metadata':{'generateName':'web-'}}")
                .meta()
                .name());
      }

      assertThat(names).containsExactly("web-bbbbb", "web-ccccc");
    }
  }

  @Test
  void create_withGenerateName_givesUpAfterEightCollisions(@TempDir Path directory) {
    try (LocalApi unlucky = LocalApi.open(directory, new Repeating(9, new AtomicInteger()))) {
      String json = "{'metadata':{'generateName':'web-'}}";
      ApiObject first = unlucky.create("v1", "configmaps", "default", json);

      ApiException refusal =
          refusal(Reason.ALREADY_EXISTS, () -> unlucky.create("v1", "configmaps", "default", json));

      assertThat(first.meta().name()).isEqualTo("web-bbbbb");
      assertThat(refusal)
          .hasMessage(
              "configmaps \"web-bbbbb\" already exists, the server was not able to generate a"
                  + " unique name for the object");
      assertThat(refusal.details().name()).isEqualTo("web-bbbbb");
      assertThat(refusal.details().retryAfterSeconds()).isEqualTo(1);
    }
  }

  @Test
  void create_withNameAndGenerateName_takesTheName() {
    ApiObject created = configMap("{'metadata':{'name':'a','generateName':'b-'}}");

    assertThat(created.meta().name()).isEqualTo("a");
  }

  @Test
  void create_withALongGenerateName_cutsIt() {
    ApiObject created = configMap("{'metadata':{'generateName':'" + "a".repeat(100) + "'}}");

    assertThat(created.meta().name()).hasSize(63).startsWith("a".repeat(58));
  }

  @ParameterizedTest
  @CsvSource({
    "v1, configmaps, default, a.b, true",
    "v1, configmaps, default, A, false",
    "v1, configmaps, default, a_b, false",
    "v1, services, default, a-b, true",
    "v1, services, default, 0a, true",
    "v1, services, default, a.b, false",
    "v1, namespaces, '', 0a, true",
    "v1, namespaces, '', a.b, false",
    "rbac.authorization.k8s.io/v1, clusterroles, '', system:A_b, true",
    "rbac.authorization.k8s.io/v1, clusterroles, '', a%b, false",
    "rbac.authorization.k8s.io/v1, clusterroles, '', ., false",
  })
  void create_checksTheNameAsTheTypeAsks(
      String version, String resource, String namespace, String name, boolean allowed) {
    String json = "{'metadata':{'name':'" + name + "'}}";

    if (allowed) {
      assertThat(api.create(version, resource, namespace, json).meta().name()).isEqualTo(name);
    } else {
      assertThat(causes(() -> api.create(version, resource, namespace, json)))
          .singleElement()
          .asString()
          .startsWith("metadata.name: Invalid value: \"" + name + "\": ");
    }
  }

  @Test
  void create_withBrokenMetadata_namesEveryProblem() {
    List<String> causes =
        causes(
            () ->
                configMap(
                    "{'metadata':{'name':'A','labels':{'-x':'y','x':'-y'},'annotations':{'/':'z'},'finalizers':['a"
                        + " b','plain','example.org/ok','kubernetes'],"
                        + "'ownerReferences':[{'apiVersion':'','kind':'','name':'','uid':''},"
                        + "{'apiVersion':'v1','kind':'Pod','name':'a','uid':'1','controller':true},"
                        + "{'apiVersion':'v1','kind':'Pod','name':'b','uid':'2','controller':true}]}}"));

    assertThat(causes)
        .satisfiesExactly(
            cause -> assertThat(cause).startsWith("metadata.name: Invalid value: \"A\": "),
            cause -> assertThat(cause).startsWith("metadata.labels: Invalid value: \"-x\": "),
            cause -> assertThat(cause).startsWith("metadata.labels: Invalid value: \"-y\": "),
            cause -> assertThat(cause).startsWith("metadata.annotations: Invalid value: \"/\": "),
            cause -> assertThat(cause).startsWith("metadata.annotations: Invalid value: \"/\": "),
            cause -> assertThat(cause).startsWith("metadata.annotations: Invalid value: \"/\": "),
            cause ->
                assertThat(cause)
                    .isEqualTo(
                        "metadata.ownerReferences.apiVersion: Invalid value: \"\": version must not"
                            + " be empty"),
            cause ->
                assertThat(cause)
                    .isEqualTo(
                        "metadata.ownerReferences.kind: Invalid value: \"\": kind must not be"
                            + " empty"),
            cause ->
                assertThat(cause)
                    .isEqualTo(
                        "metadata.ownerReferences.name: Invalid value: \"\": must not be empty"),
            cause ->
                assertThat(cause)
                    .isEqualTo(
                        "metadata.ownerReferences.uid: Invalid value: \"\": must not be empty"),
            cause ->
                assertThat(cause)
                    .startsWith("metadata.ownerReferences: Invalid value: ")
                    .contains("Only one reference can have Controller set to true"),
            cause -> assertThat(cause).startsWith("metadata.finalizers: Invalid value: \"a b\": "),
            cause ->
                assertThat(cause)
                    .isEqualTo(
                        "metadata.finalizers[0]: Invalid value: \"a b\": name is neither a standard"
                            + " finalizer name nor is it fully qualified"),
            cause ->
                assertThat(cause)
                    .isEqualTo(
                        "metadata.finalizers[1]: Invalid value: \"plain\": name is neither a"
                            + " standard finalizer name nor is it fully qualified"));
  }

  @Test
  void create_withTooManyAnnotations_isInvalid() {
    String large = "x".repeat(256 * 1024);

    assertThat(
            causes(
                () -> configMap("{'metadata':{'name':'a','annotations':{'a':'" + large + "'}}}")))
        .containsExactly("metadata.annotations: Too long: may not be more than 262144 bytes");
  }

  @Test
  void create_withAResourceVersion_isRefusedLast() {
    String sent = "{'metadata':{'name':'a','resourceVersion':'1'}}";

    assertThat(refusal(Reason.UNKNOWN, () -> configMap(sent)))
        .hasMessage("resourceVersion should not be set on objects to be created");
    assertThat(causes(() -> configMap("{'metadata':{'name':'A_','resourceVersion':'1'}}")))
        .hasSize(1);
    ApiException elsewhere =
        refusal(Reason.NOT_FOUND, () -> api.create("v1", "configmaps", "nowhere", sent));
    assertThat(elsewhere).hasMessage("namespaces \"nowhere\" not found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "00", "abc"})
  void create_withAResourceVersionThatSaysNothing_succeeds(String version) {
    assertThat(
            configMap("{'metadata':{'name':'a','resourceVersion':'" + version + "'}}")
                .meta()
                .name())
        .isEqualTo("a");
  }

  @Test
  void create_intoAMissingNamespace_namesTheNamespace() {
    ApiException refusal =
        refusal(
            Reason.NOT_FOUND,
            () -> api.create("v1", "configmaps", "nowhere", "{'metadata':{'name':'a'}}"));

    assertThat(refusal).hasMessage("namespaces \"nowhere\" not found");
    assertThat(refusal.details().kind()).isEqualTo("namespaces");
  }

  @Test
  void create_withTheNamespaceOfAnotherPath_isRefused() {
    refusal(
        Reason.BAD_REQUEST,
        () ->
            api.create(
                "v1", "configmaps", "default", "{'metadata':{'name':'a','namespace':'other'}}"));
  }

  @Test
  void create_ofAClusterScopedObjectWithANamespace_dropsIt() {
    ApiObject created =
        api.create(
            "rbac.authorization.k8s.io/v1",
            "clusterroles",
            "",
            "{'metadata':{'name':'a','namespace':'default'}}");

    assertThat(created.meta().node().has("namespace")).isFalse();
  }

  @Test
  void create_leavesTheStatusToItsOwner() {
    ApiObject deployment =
        api.create(
            "apps/v1",
            "deployments",
            "default",
            "{'metadata':{'name':'a'},'status':{'replicas':3}}");
    ApiObject namespace =
        api.create("v1", "namespaces", "", "{'metadata':{'name':'a'},'status':{'phase':'Odd'}}");

    assertThat(deployment.root().map("status").isEmpty()).isTrue();
    assertThat(namespace.root().map("status").text("phase")).isEqualTo("Active");
  }

  @Test
  void create_inDryRun_leavesNoTrace() {
    long before = api.store().revision();
    Collection configMaps = api.collection("v1", "configmaps", "default");

    StoredObject tried =
        api.registry()
            .create(
                configMaps,
                api.object("v1", "configmaps", "{'metadata':{'name':'a'}}"),
                WriteOptions.DRY_RUN);

    ApiObject answer = api.served(tried);
    assertThat(answer.meta().uid()).isNotEmpty();
    assertThat(answer.meta().resourceVersion()).isEmpty();
    assertThat(api.store().revision()).isEqualTo(before);
    assertThat(api.registry().find(configMaps, "a")).isEmpty();
  }

  @Test
  void create_inDryRun_isRefusedForTheSameReasons() {
    ApiObject first = configMap("{'metadata':{'name':'a'}}");
    Collection configMaps = api.collection("v1", "configmaps", "default");

    refusal(
        Reason.ALREADY_EXISTS,
        () ->
            api.registry()
                .create(
                    configMaps,
                    first.withMeta(first.meta().without("resourceVersion")),
                    WriteOptions.DRY_RUN));
    refusal(
        Reason.INVALID,
        () ->
            api.registry()
                .create(configMaps, api.object("v1", "configmaps", "{}"), WriteOptions.DRY_RUN));
  }

  private ApiObject configMap(String json) {
    return api.create("v1", "configmaps", "default", json);
  }
}
