package dev.keelson.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.Verb;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CustomResourceRowsTest {

  private static final String DEFINITION =
      """
      {'metadata':{'name':'crontabs.stable.example.com','uid':'u1'},
       'spec':{'group':'stable.example.com','scope':'Namespaced',
        'names':{'plural':'crontabs','singular':'crontab','kind':'CronTab','listKind':'CronTabs'},
        'versions':[
         {'name':'v1beta1','served':true,'storage':false,'deprecated':true,
          'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object'}}}}},
         {'name':'v2','served':false,'storage':false},
         {'name':'v1','served':true,'storage':true,
          'selectableFields':[{'jsonPath':'.spec.image'}],
          'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.replicas'}},
          'schema':{'openAPIV3Schema':{'type':'object','properties':{
            'metadata':{'type':'object'},
            'spec':{'type':'object','properties':{'image':{'type':'string','default':'i'}}}}}}}]},
       'status':{'acceptedNames':{'plural':'crontabs','singular':'crontab','kind':'CronTab',
         'listKind':'CronTabs','shortNames':['ct'],'categories':['all','cron']},
        'conditions':[{'type':'Established','status':'True'}]}}
      """;

  private static List<ResourceDefinition> rows(String json) {
    MapNode definition = tree(json);
    return new CustomResourceRows(name -> new StructSchema(name, false, false, List::of))
        .of(new CustomResource("crontabs.stable.example.com", "u1", () -> definition), definition);
  }

  private static MapNode tree(String json) {
    return (MapNode) TreeJson.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void servedVersions_areRows_preferredFirst() {
    assertThat(rows(DEFINITION))
        .extracting(row -> row.gvr().version())
        .containsExactly("v1", "v1beta1");
  }

  @Test
  void row_hasTheAcceptedNames() {
    ResourceDefinition row = rows(DEFINITION).getFirst();

    assertThat(row.gvr().resource()).isEqualTo("crontabs");
    assertThat(row.kind()).isEqualTo("CronTab");
    assertThat(row.listKind()).isEqualTo("CronTabs");
    assertThat(row.singular()).isEqualTo("crontab");
    assertThat(row.shortNames()).containsExactly("ct");
    assertThat(row.categories()).containsExactly("all", "cron");
    assertThat(row.namespaced()).isTrue();
    assertThat(row.verbs())
        .contains(Verb.CREATE, Verb.DELETE_COLLECTION)
        .doesNotContain(Verb.CONNECT);
    assertThat(row.subresources()).containsOnlyKeys("status", "scale");
    assertThat(row.behaviour().strategicMerge()).isFalse();
    assertThat(row.behaviour().fieldLabels().paths()).containsOnlyKeys("spec.image");
  }

  @Test
  void namespace_isAFieldLabelOfNamespacedTypesOnly() {
    assertThat(rows(DEFINITION).getFirst().behaviour().fieldLabels().namespace()).isTrue();
    assertThat(
            rows(DEFINITION.replace("'Namespaced'", "'Cluster'"))
                .getFirst()
                .behaviour()
                .fieldLabels()
                .namespace())
        .isFalse();
  }

  @Test
  void everyVersion_isStoredInTheStorageVersion() {
    List<ResourceDefinition> rows = rows(DEFINITION);

    StoredType stored = Objects.requireNonNull(rows.getFirst().storage());
    StoredType other = Objects.requireNonNull(rows.getLast().storage());
    assertThat(stored.written()).isSameAs(stored);
    assertThat(other.written()).isSameAs(stored);
    assertThat(other.keyPrefix()).isEqualTo(stored.keyPrefix());
    assertThat(other.kind()).isEqualTo(rows.getLast().gvk());
    assertThat(stored.keyPrefix()).isEqualTo("stable.example.com/crontabs");
    assertThat(stored.kind().version()).isEqualTo("v1");
    assertThat(stored.schema()).isSameAs(rows.getFirst().schema());
  }

  @Test
  void deprecatedVersion_namesTheNewestOther() {
    assertThat(rows(DEFINITION).getLast().deprecationWarning())
        .isEqualTo(
            "stable.example.com/v1beta1 CronTab is deprecated; use stable.example.com/v1 CronTab");
    assertThat(
            rows(DEFINITION.replace(
                    "'deprecated':true", "'deprecated':true,'deprecationWarning':'w'"))
                .getLast()
                .deprecationWarning())
        .isEqualTo("w");
  }

  @Test
  void terminatingDefinition_takesNoObjects() {
    ResourceDefinition row =
        rows(DEFINITION.replace(
                "'uid':'u1'", "'uid':'u1','deletionTimestamp':'2026-01-01T00:00:00Z'"))
            .getFirst();

    assertThat(row.verbs())
        .containsExactlyInAnyOrder(
            Verb.DELETE, Verb.DELETE_COLLECTION, Verb.GET, Verb.LIST, Verb.WATCH);
  }

  @Test
  void fields_areTypeAndMetadata_thenTheProperties() {
    assertThat(rows(DEFINITION).getFirst().schema().fields())
        .extracting(SchemaNode.Field::name)
        .containsExactly("kind", "apiVersion", "metadata", "spec");
  }

  @Test
  void mark_isOfTheShapeAlone() {
    byte[] mark = mark(DEFINITION);

    assertThat(new String(mark, StandardCharsets.US_ASCII)).isBlank().hasSize(24);
    assertThat(
            mark(
                DEFINITION.replace(
                    "'type':'string'", "'type':'string','description':'x','maxLength':3")))
        .isEqualTo(mark);
    assertThat(mark(DEFINITION.replace("'default':'i'", "'default':'j'"))).isNotEqualTo(mark);
    assertThat(mark(DEFINITION.replace("'image':{", "'images':{"))).isNotEqualTo(mark);
    assertThat(mark(DEFINITION.replace("'string','default'", "'string','nullable':true,'default'")))
        .isNotEqualTo(mark);
  }

  private static byte[] mark(String json) {
    return Objects.requireNonNull(rows(json).getFirst().custom()).mark();
  }

  @Test
  void versionsOfOneShape_areServedAsStored_unlessAWebhookConverts() {
    String alike =
        DEFINITION.replace(
            "{'type':'object','properties':{'spec':{'type':'object'}}}",
            "{'type':'object','properties':{'metadata':{'type':'object'},"
                + "'spec':{'type':'object','properties':{'image':{'type':'string','default':'i'}}}}}");

    assertThat(sameShape(alike)).isTrue();
    assertThat(sameShape(DEFINITION)).isFalse();
    assertThat(sameShape(alike.replace("'scope'", "'conversion':{'strategy':'Webhook'},'scope'")))
        .isFalse();
  }

  private static boolean sameShape(String json) {
    List<ResourceDefinition> rows = rows(json);
    return Objects.requireNonNull(rows.getLast().custom()).servesShapeOf(rows.getFirst().schema());
  }

  @Test
  void decisiveStatus_ignoresTimesAndMessages() {
    MapNode status =
        tree(
            "{'conditions':[{'type':'Terminating','status':'False','message':'m'},"
                + "{'type':'NamesAccepted','status':'True'},{'type':'Established','status':'True'}]}");

    assertThat(CustomResourceRows.decisive(status).items("conditions"))
        .containsExactly(
            MapNode.of("type", Node.text("Established")).with("status", Node.text("True")),
            MapNode.of("type", Node.text("Terminating")).with("status", Node.text("False")));
  }
}
