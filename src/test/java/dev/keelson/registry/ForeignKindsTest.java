package dev.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.subresource.ScaleResource;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.registry.write.Deleted;
import dev.keelson.schema.NameRule;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.ResourceRow;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.table.Tables;
import dev.keelson.server.registry.BuiltInSteps;
import dev.keelson.testing.LocalApi;
import dev.keelson.testing.SmallestObjects;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A resource of another group has no rule of the built-in resource whose kind and plural it shares.
 * Each built-in resource has such a namesake in {@code example.com/v1}, with a schema of its own.
 * Expected answers are those for a plain custom resource with a status subresource.
 */
@Timeout(120)
class ForeignKindsTest {

  private static final String GROUP = "example.com";
  private static final String SCALED =
      "{'metadata':{'name':'scaled'},'spec':{'replicas':2,'selector':{'matchLabels':{'a':'b'}}}}";

  private static final String SENT =
      """
      {'metadata':{'name':'Odd','labels':{'a':'b'}},
       'spec':{'nodeName':'n','schedulingGroup':{},'containers':[{'name':'c','env':[{'name':'a'},{'name':'a'}]}],
         'terminationGracePeriodSeconds':-1,'template':{'spec':{'terminationGracePeriodSeconds':-1}},
         'persistentVolumeReclaimPolicy':'Recycle','externalIPs':['x'],'type':'ExternalName'}}\
      """;

  private static LocalApi api;

  @BeforeAll
  static void open(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
    List<ResourceDefinition> all = new ArrayList<>(api.catalog().snapshot().all());
    builtIn().map(ForeignKindsTest::namesake).forEach(all::add);
    api.catalog().replaceAll(all);
  }

  @AfterAll
  static void close() {
    api.close();
  }

  /** The built-in resources that are stored, each plural once. */
  static Stream<ResourceDefinition> builtIn() {
    Map<String, ResourceDefinition> byPlural = new TreeMap<>();
    for (ResourceDefinition each : SmallestObjects.resources()) {
      byPlural.putIfAbsent(each.gvr().resource(), each);
    }
    return byPlural.values().stream();
  }

  /** As a custom resource would yield it. */
  private static ResourceDefinition namesake(ResourceDefinition builtIn) {
    StructSchema schema = schema(builtIn);
    return new ResourceRow(
            new GroupVersion(GROUP, "v1"),
            builtIn.gvr().resource(),
            builtIn.kind(),
            builtIn.scope(),
            builtIn.verbs())
        .keys(GROUP + "/" + builtIn.gvr().resource())
        .named(NameRule.PATH_SEGMENT)
        .generation()
        .status()
        .scale()
        .selectable("spec.nodeName")
        .withoutStrategicMerge()
        .definition(
            new ResourceRow.Types() {
              @Override
              public StructSchema schema(GroupVersionKind kind) {
                return schema;
              }

              @Override
              public StoredType stored(String keyPrefix, GroupVersionKind kind) {
                return new StoredType(keyPrefix, kind, schema);
              }
            });
  }

  /** Declares what every object has; anything may be in the spec and the status. */
  private static StructSchema schema(ResourceDefinition builtIn) {
    String name = "com.example.v1." + builtIn.kind();
    List<Field> fields = new ArrayList<>();
    for (String field : List.of("kind", "apiVersion", "metadata")) {
      fields.add(Objects.requireNonNull(builtIn.schema().field(field)));
    }
    for (String part : List.of("Spec", "Status")) {
      fields.add(
          new Field(
              part.toLowerCase(Locale.ROOT),
              new StructSchema(name + part, false, true, List::of),
              0,
              List.of(),
              Field.Presence.POINTER,
              Field.Rules.NONE));
    }
    return new StructSchema(name, false, false, () -> fields);
  }

  private static Collection collection(ResourceDefinition builtIn) {
    ResourceDefinition definition = api.definition(GROUP + "/v1", builtIn.gvr().resource());
    return new Collection(definition, definition.namespaced() ? "default" : "");
  }

  private static ApiObject object(ResourceDefinition builtIn, String json) {
    MapNode root =
        (MapNode) TreeJson.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    return new ApiObject(root).withType(GROUP + "/v1", builtIn.kind());
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void writes_followThePlainRules(ResourceDefinition builtIn) {
    Collection collection = collection(builtIn);
    List<String> warnings = new ArrayList<>();
    WriteOptions options = new WriteOptions(false, "test", WriteOptions.SERVER, warnings::add);

    ApiObject made = api.served(api.registry().create(collection, object(builtIn, SENT), options));
    ApiObject changed =
        api.served(
            api.registry()
                .replace(
                    collection, "Odd", made.with("spec", MapNode.of("a", Node.text("b"))), options)
                .object());
    ApiObject labelled =
        api.served(
            api.registry()
                .replaceStatus(
                    collection,
                    "Odd",
                    changed
                        .withMeta(changed.meta().with("labels", MapNode.of("c", Node.text("d"))))
                        .with(
                            "status",
                            object(
                                    builtIn,
                                    "{'status':{'conditions':[{'type':'Approved','status':'True'}]}}")
                                .root()
                                .map("status")),
                    options));
    ApiException conflict =
        catchThrowableOfType(
            ApiException.class,
            () ->
                api.registry()
                    .delete(
                        collection, "Odd", new DeleteQuery("other", null, null, null), options));
    Deleted deleted = api.registry().delete(collection, "Odd", DeleteQuery.UNCONDITIONAL, options);

    assertThat(made.root().map("spec")).isEqualTo(object(builtIn, SENT).root().map("spec"));
    assertThat(made.meta().node().has("annotations")).isFalse();
    assertThat(made.meta().finalizers()).isEmpty();
    assertThat(changed.root().map("spec").texts()).isEqualTo(Map.of("a", "b"));
    assertThat(labelled.meta().labels()).isEqualTo(Map.of("c", "d"));
    assertThat(LocalApi.json(labelled.root().map("status")))
        .isEqualTo("{'conditions':[{'type':'Approved','status':'True'}]}");
    assertThat(LocalApi.json(made.meta().node())).doesNotContain("template.generation");
    assertThat(conflict).hasMessageContaining("the UID in the precondition (other)");
    assertThat(deleted.gone()).isTrue();
    assertThat(api.registry().find(collection, "Odd")).isEmpty();
    assertThat(ManagedFieldsText.of(labelled))
        .anySatisfy(
            entry ->
                assertThat(entry)
                    .contains("status {'f:metadata':{'f:labels':", "'f:status':{")
                    .doesNotContain("f:spec"));
    assertThat(collection.definition().deprecationWarning()).isEmpty();
    assertThat(warnings).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void fieldSelectors_areThoseOfTheRow(ResourceDefinition builtIn) {
    Collection collection = collection(builtIn);

    assertThat(listed(collection, "spec.nodeName=n,metadata.namespace=default")).isEmpty();
    for (String unknown : List.of("spec.host", "source", "status.podIPs", "status.successful")) {
      ApiException refusal =
          catchThrowableOfType(ApiException.class, () -> listed(collection, unknown + "=x"));

      assertThat(refusal.reason()).isEqualTo(Reason.BAD_REQUEST);
      assertThat(refusal).hasMessage("field label not supported: " + unknown);
    }
  }

  private static List<StoredObject> listed(Collection collection, String fields) {
    return api.registry()
        .list(
            collection,
            new ListQuery(LabelSelector.EVERYTHING, FieldSelector.parse(fields)),
            ListPage.WHOLE)
        .all();
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void scale_selectsByLabelSelector(ResourceDefinition builtIn) {
    Collection collection = collection(builtIn);
    WriteOptions options = new WriteOptions(false, "test", WriteOptions.SERVER, _ -> {});
    Objects.requireNonNull(api.registry().create(collection, object(builtIn, SCALED), options));

    StoredObject scale = new ScaleResource(api.registry(), api.codec()).get(collection, "scaled");

    assertThat(LocalApi.json(api.served(scale).root().map("status")))
        .isEqualTo("{'replicas':0,'selector':'a=b'}");
  }

  @Test
  void storedTypes_areThoseOfTheBuiltInGroups() {
    List<ResourceDefinition> all = new ArrayList<>();
    builtIn().map(ForeignKindsTest::namesake).forEach(all::add);
    all.addAll(SmallestObjects.resources());
    ResourceCatalog catalog = new ResourceCatalog(all);

    assertThat(BuiltInSteps.storedNamespace(catalog).kind())
        .isEqualTo(GroupVersion.CORE_V1.kind("Namespace"));
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void table_hasThePlainColumns(ResourceDefinition builtIn) {
    GroupVersionKind kind = collection(builtIn).definition().gvk();

    assertThat(Tables.of(kind)).isSameAs(Tables.of(new GroupVersionKind(GROUP, "v1", "Unheard")));
  }
}
