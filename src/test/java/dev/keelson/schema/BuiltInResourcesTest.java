package dev.keelson.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class BuiltInResourcesTest {

  private final Map<String, StructSchema> asked = new HashMap<>();
  private final List<ResourceDefinition> all = BuiltInResources.all(this::struct);
  private final ResourceCatalog.Snapshot catalog = new ResourceCatalog(all).snapshot();

  private StructSchema struct(String name) {
    return asked.computeIfAbsent(
        name,
        key ->
            new StructSchema(
                key,
                false,
                false,
                () -> {
                  throw new AssertionError("the table must not load the fields of " + key);
                }));
  }

  @Test
  void table_comparedWithTheExpectedList_hasTheSameNamesKindsVerbsAndScopes() throws IOException {
    TreeSet<String> table = new TreeSet<>();
    for (ResourceDefinition definition : all) {
      String version = definition.gvr().apiVersion();
      String scope = definition.namespaced() ? "namespaced" : "cluster";
      String name = definition.gvr().resource();
      table.add(
          String.join(
              " ",
              version,
              name,
              definition.kind(),
              scope,
              words(definition.verbs()),
              orDash(definition.shortNames()),
              orDash(definition.categories())));
      for (Subresource sub : definition.subresources().values()) {
        boolean foreign = !sub.kind().apiVersion().equals(version);
        String kind = (foreign ? sub.kind().apiVersion() + "/" : "") + sub.kind().kind();
        table.add(
            String.join(
                " ", version, name + "/" + sub.name(), kind, scope, words(sub.verbs()), "- -"));
      }
    }

    assertThat(table).containsExactlyElementsOf(new TreeSet<>(expected()));
  }

  @Test
  void groups_listed_comeInTheOrderOfKubernetesWithThePreferredVersionFirst() {
    assertThat(catalog.groupVersions().stream().map(GroupVersion::toString))
        .containsExactly(
            "v1",
            "apiregistration.k8s.io/v1",
            "apps/v1",
            "events.k8s.io/v1",
            "authentication.k8s.io/v1",
            "authorization.k8s.io/v1",
            "autoscaling/v2",
            "autoscaling/v1",
            "batch/v1",
            "batch/v1beta1",
            "certificates.k8s.io/v1",
            "networking.k8s.io/v1",
            "policy/v1",
            "rbac.authorization.k8s.io/v1",
            "storage.k8s.io/v1",
            "admissionregistration.k8s.io/v1",
            "apiextensions.k8s.io/v1",
            "scheduling.k8s.io/v1",
            "coordination.k8s.io/v1",
            "node.k8s.io/v1",
            "discovery.k8s.io/v1",
            "resource.k8s.io/v1",
            "flowcontrol.apiserver.k8s.io/v1",
            "access.keelson.dev/v1",
            "extensions/v1beta1");
  }

  @Test
  void storedTypes_ofTwoResources_shareAPrefixOnlyForTheSameObjects() {
    Map<String, Set<StoredType>> byPrefix = new HashMap<>();
    Map<StoredType, Set<String>> plurals = new HashMap<>();
    for (ResourceDefinition definition : all) {
      StoredType stored = definition.storage();
      if (stored != null) {
        byPrefix.computeIfAbsent(stored.keyPrefix(), key -> new java.util.HashSet<>()).add(stored);
        plurals.computeIfAbsent(stored, key -> new TreeSet<>()).add(definition.gvr().resource());
      }
    }

    assertThat(byPrefix).allSatisfy((prefix, types) -> assertThat(types).hasSize(1));
    assertThat(plurals).allSatisfy((type, names) -> assertThat(names).hasSize(1));
    assertThat(byPrefix).hasSize(58);
  }

  @Test
  void keyPrefixes_whereTheyAreNotThePlural_areThoseOfKubernetes() {
    Map<String, String> others =
        all.stream()
            .filter(definition -> definition.storage() != null)
            .filter(definition -> !prefix(definition).equals(definition.gvr().resource()))
            .collect(
                Collectors.toMap(
                    definition -> definition.gvr().apiVersion() + "/" + definition.gvr().resource(),
                    BuiltInResourcesTest::prefix));

    assertThat(others)
        .isEqualTo(
            Map.of(
                "apiextensions.k8s.io/v1/customresourcedefinitions",
                "apiextensions.k8s.io/customresourcedefinitions",
                "apiregistration.k8s.io/v1/apiservices",
                "apiregistration.k8s.io/apiservices",
                "v1/endpoints",
                "services/endpoints",
                "v1/nodes",
                "minions",
                "v1/replicationcontrollers",
                "controllers",
                "v1/services",
                "services/specs",
                "networking.k8s.io/v1/ingresses",
                "ingress",
                "extensions/v1beta1/ingresses",
                "ingress"));
  }

  @Test
  void oldGroups_served_shareTheStoredTypeOfTheNewOnes() {
    assertThat(stored("extensions/v1beta1", "deployments"))
        .isSameAs(stored("apps/v1", "deployments"));
    assertThat(stored("extensions/v1beta1", "ingresses"))
        .isSameAs(stored("networking.k8s.io/v1", "ingresses"));
    assertThat(stored("batch/v1beta1", "cronjobs")).isSameAs(stored("batch/v1", "cronjobs"));
    assertThat(stored("events.k8s.io/v1", "events")).isSameAs(stored("v1", "events"));
    assertThat(stored("autoscaling/v1", "horizontalpodautoscalers").kind().version())
        .isEqualTo("v2");
  }

  @Test
  void virtualResources_listed_areBindingsComponentStatusesReviewsAndWhatIsSeen() {
    assertThat(all.stream().filter(definition -> definition.storage() == null))
        .extracting(definition -> definition.gvr().resource())
        .containsExactly(
            "bindings",
            "componentstatuses",
            "selfsubjectreviews",
            "tokenreviews",
            "localsubjectaccessreviews",
            "selfsubjectaccessreviews",
            "selfsubjectrulesreviews",
            "subjectaccessreviews",
            "visiblenamespaces");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          extensions/v1beta1 | ingresses         | extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; use networking.k8s.io/v1 Ingress
          batch/v1beta1      | cronjobs          | batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob
          v1                 | componentstatuses | v1 ComponentStatus is deprecated in v1.19+
          batch/v1           | cronjobs          | ''
          """)
  void deprecationWarning_namesTheReplacement(String version, String resource, String warning) {
    assertThat(catalog.find(GroupVersion.parse(version).resource(resource)))
        .map(ResourceDefinition::deprecationWarning)
        .contains(warning);
  }

  @Test
  void createOnUpdate_overTheTable_isAllowedWhereKubernetesAllowsIt() {
    assertThat(all.stream().filter(definition -> definition.behaviour().createOnUpdate()))
        .extracting(definition -> definition.gvr().resource())
        .containsExactly(
            "endpoints",
            "events",
            "limitranges",
            "services",
            "events",
            "clusterrolebindings",
            "clusterroles",
            "rolebindings",
            "roles",
            "leases",
            "runtimeclasses");
  }

  @Test
  void messages_asked_areNamedAfterTheFirstLabelOfTheGroup() {
    assertThat(asked)
        .containsKeys(
            "io.k8s.api.core.v1.Pod",
            "io.k8s.api.rbac.v1.ClusterRole",
            "dev.keelson.access.v1.VisibleNamespace",
            "io.k8s.api.flowcontrol.v1.FlowSchema",
            "io.k8s.api.extensions.v1beta1.DeploymentRollback",
            "io.k8s.api.policy.v1.Eviction");
  }

  private StoredType stored(String version, String resource) {
    GroupVersionResource name = GroupVersion.parse(version).resource(resource);
    return Objects.requireNonNull(catalog.find(name).orElseThrow().storage());
  }

  private static String prefix(ResourceDefinition definition) {
    return Objects.requireNonNull(definition.storage()).keyPrefix();
  }

  private static List<String> expected() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            BuiltInResourcesTest.class.getResourceAsStream("expected-resources.txt"))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<String> lines = new ArrayList<>(text.lines().toList());
      lines.removeIf(line -> line.startsWith("#"));
      return lines;
    }
  }

  /** CONNECT marks a stream for the server; discovery shows the methods' verbs only. */
  private static String words(Set<Verb> verbs) {
    return verbs.stream()
        .filter(verb -> verb != Verb.CONNECT)
        .map(Verb::word)
        .sorted()
        .collect(Collectors.joining(","));
  }

  private static String orDash(Collection<String> names) {
    return names.isEmpty() ? "-" : String.join(",", names);
  }
}
