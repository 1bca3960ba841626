package dev.keelson.schema.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.patch.PatchException.Fault;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class StrategicMergePatchTest {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();
  private static final StructSchema POD = SCHEMAS.struct("io.k8s.api.core.v1.Pod");
  private static final StructSchema DEPLOYMENT = SCHEMAS.struct("io.k8s.api.apps.v1.Deployment");

  static Stream<PatchTables.Row> table() {
    return PatchTables.rows("strategic-merge.jsonl");
  }

  @ParameterizedTest
  @MethodSource("table")
  void table_appliesAsKubectlDoes(PatchTables.Row row) {
    StrategicMergePatch patch = StrategicMergePatch.of(row.patch(), SCHEMAS.struct(row.type()));

    if (row.result() == null) {
      assertThatThrownBy(() -> patch.apply(row.target()))
          .isInstanceOf(PatchException.class)
          .hasMessage(row.error());
    } else {
      assertThat(text(patch.apply(row.target()))).isEqualTo(text(row.result()));
      assertThat(text(patch.apply(row.target()))).as("again").isEqualTo(text(row.result()));
    }
  }

  /** JSON with sorted members, so that differences are easy to see. */
  private static String text(Node node) {
    return new String(ObjectWriter.prettyJson(sorted(node)), StandardCharsets.UTF_8);
  }

  private static Node sorted(Node node) {
    return switch (node) {
      case MapNode map -> {
        MapNode.Builder builder = MapNode.builder(map.size());
        map.keys().stream()
            .sorted()
            .forEach(
                key -> builder.put(key, sorted(java.util.Objects.requireNonNull(map.get(key)))));
        yield builder.build();
      }
      case Node.Items items ->
          new Node.Items(items.values().stream().map(StrategicMergePatchTest::sorted).toList());
      default -> node;
    };
  }

  private static Node merged(StructSchema schema, String target, String patch) {
    return StrategicMergePatch.of(PatchTables.json(patch), schema)
        .apply((MapNode) PatchTables.json(target));
  }

  @Test
  void apply_mergeDirective_merges() {
    assertThat(
            merged(
                POD,
                "{'metadata':{'labels':{'a':'1'}},'spec':{'containers':[{'name':'a','image':'x'}]}}",
                "{'metadata':{'labels':{'$patch':'merge','b':'2'}},"
                    + "'spec':{'containers':[{'$patch':'merge','name':'a','tty':true}]}}"))
        .isEqualTo(
            PatchTables.json(
                "{'metadata':{'labels':{'a':'1','b':'2'}},"
                    + "'spec':{'containers':[{'name':'a','image':'x','tty':true}]}}"));
  }

  @Test
  void apply_replaceDirectiveWhereNothingWas_setsTheContent() {
    assertThat(
            merged(
                DEPLOYMENT, "{'spec':{}}", "{'spec':{'strategy':{'$patch':'replace','type':'x'}}}"))
        .isEqualTo(PatchTables.json("{'spec':{'strategy':{'type':'x'}}}"));
  }

  @Test
  void apply_directivesInNewParts_areNotKept() {
    assertThat(
            merged(
                DEPLOYMENT,
                "{}",
                "{'spec':{'strategy':{'$retainKeys':['type'],'type':'x'},'template':{'spec':"
                    + "{'$setElementOrder/containers':[{'name':'a'}],'containers':[{'name':'a',"
                    + "'$setElementOrder/ports':[],'$deleteFromPrimitiveList/command':['x']}]}}}}"))
        .isEqualTo(
            PatchTables.json(
                "{'spec':{'strategy':{'type':'x'},'template':{'spec':{'containers':[{'name':'a'}]}}}}"));
  }

  @Test
  void apply_freeValue_mergesPlainly() {
    StructSchema revision = SCHEMAS.struct("io.k8s.api.apps.v1.ControllerRevision");

    assertThat(
            merged(
                revision,
                "{'data':{'a':{'x':1,'y':2},'l':[{'name':'a'}]}}",
                "{'data':{'a':{'x':null,'$patch':'z'},'l':[{'name':'b'}],'n':{'m':null}}}"))
        .isEqualTo(
            PatchTables.json("{'data':{'a':{'y':2,'$patch':'z'},'l':[{'name':'b'}],'n':{}}}"));
  }

  @Test
  void apply_mapOfListsAndListsOfLists_areReplaced() {
    StructSchema review = SCHEMAS.struct("io.k8s.api.authentication.v1.TokenReview");

    assertThat(
            merged(
                review,
                "{'status':{'user':{'extra':{'a':['1'],'b':['2']}}}}",
                "{'status':{'user':{'extra':{'a':['3'],'b':null,'c':[]}}}}"))
        .isEqualTo(PatchTables.json("{'status':{'user':{'extra':{'a':['3'],'c':[]}}}}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'spec':{'$setElementOrder/tolerations':['a'],'tolerations':[{'key':'a'}]}}",
        "{'spec':{'$deleteFromPrimitiveList/containers':['a']}}",
        "{'spec':{'$deleteFromPrimitiveList/tolerations':['a']}}",
        "{'spec':{'$deleteFromPrimitiveList':['a']}}",
        "{'spec':{'$setElementOrder/':[]}}",
        "{'spec':{'$setElementOrder/containers':null}}",
        "{'spec':{'containers':[null]}}",
        "{'spec':{'containers':['a']}}",
        "{'spec':{'containers':[{'name':'a'},1]}}",
        "{'spec':{'containers':[{'$patch':1}]}}",
        "{'$patch':null}",
        "{'spec':{'$retainKeys':[1],'hostNetwork':true}}",
      })
  void apply_directivesThatMakeNoSense_areRefused(String patch) {
    assertThatThrownBy(
            () ->
                merged(
                    POD,
                    "{'spec':{'containers':[{'name':'a'}],'tolerations':[{'key':'b'}]}}",
                    patch))
        .isInstanceOfSatisfying(
            PatchException.class, e -> assertThat(e.fault()).isEqualTo(Fault.MALFORMED));
  }

  @Test
  void apply_listsOfLists_areRefused() {
    assertThatThrownBy(
            () ->
                merged(
                    POD, "{'metadata':{'finalizers':[]}}", "{'metadata':{'finalizers':[['a']]}}"))
        .isInstanceOfSatisfying(
            PatchException.class, e -> assertThat(e.fault()).isEqualTo(Fault.UNFIT))
        .hasMessage("lists of lists are not supported");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "'x'"})
  void of_noObject_isMalformed(String document) {
    assertThatThrownBy(() -> StrategicMergePatch.of(PatchTables.json(document), POD))
        .isInstanceOfSatisfying(
            PatchException.class, e -> assertThat(e.fault()).isEqualTo(Fault.MALFORMED));
  }

  @Test
  void apply_longLists_takeLittleTime() {
    List<Node> present = new ArrayList<>();
    List<Node> changes = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      present.add(MapNode.of("name", Node.text("c" + i)));
      changes.add(MapNode.of("name", Node.text("c" + (99_999 - i))));
    }
    MapNode target = MapNode.of("spec", MapNode.of("containers", new Node.Items(present)));
    MapNode patch =
        MapNode.of(
            "spec",
            MapNode.of("containers", new Node.Items(changes))
                .with("$setElementOrder/containers", new Node.Items(changes)));

    MapNode result = StrategicMergePatch.of(patch, POD).apply(target);

    assertThat(result.map("spec").items("containers")).hasSize(100_000);
  }

  @Test
  void toString_longPatch_isCut() {
    Node patch = MapNode.of("data", Node.text("x".repeat(100_000)));

    assertThat(StrategicMergePatch.of(patch, POD)).asString().hasSizeLessThan(3000).endsWith("...");
  }
}
