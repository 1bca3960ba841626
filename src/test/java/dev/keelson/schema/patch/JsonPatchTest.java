package dev.keelson.schema.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.patch.PatchException.Fault;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class JsonPatchTest {

  private static final int MEBIBYTE = 1024 * 1024;

  static Stream<PatchTables.Row> table() {
    return PatchTables.rows("json-patch.jsonl");
  }

  @ParameterizedTest
  @MethodSource("table")
  void table_appliesAsKubectlDoes(PatchTables.Row row) {
    JsonPatch patch = JsonPatch.of(row.patch());
    MapNode before = row.target();

    if (row.result() == null) {
      assertThatThrownBy(() -> patch.apply(before)).hasMessage(row.error());
    } else {
      assertThat(patch.apply(before)).isEqualTo(row.result());
      assertThat(patch.apply(before)).as("applied again").isEqualTo(row.result());
    }
  }

  private static void assertRefused(String target, String patch, String message) {
    MapNode document = (MapNode) PatchTables.json(target);
    assertThatThrownBy(() -> JsonPatch.of(PatchTables.json(patch)).apply(document))
        .isInstanceOfSatisfying(
            PatchException.class, e -> assertThat(e.fault()).isEqualTo(Fault.UNFIT))
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                         | cannot unmarshal object into Go value of type"
            + " []handlers.jsonPatchOp",
        "'x'                        | cannot unmarshal string into Go value of type"
            + " []handlers.jsonPatchOp",
        "[1]                        | cannot unmarshal number into Go value of type"
            + " handlers.jsonPatchOp",
        "[{'op':1,'path':'/a'}]     | cannot unmarshal number into Go struct field jsonPatchOp.op"
            + " of type string",
        "[{'op':'add','path':[]}]   | cannot unmarshal array into Go struct field jsonPatchOp.path"
            + " of type string",
        "[{'op':'add','from':true}] | cannot unmarshal bool into Go struct field jsonPatchOp.from"
            + " of type string",
      })
  void of_whatIsNoPatch_isMalformed(String document, String message) {
    assertThatThrownBy(() -> JsonPatch.of(PatchTables.json(document)))
        .isInstanceOfSatisfying(
            PatchException.class, e -> assertThat(e.fault()).isEqualTo(Fault.MALFORMED))
        .hasMessage("error decoding patch: json: " + message);
  }

  @Test
  void of_null_changesNothing() {
    MapNode target = MapNode.of("a", new Node.Int(1));

    assertThat(JsonPatch.of(Node.Null.NULL).apply(target)).isEqualTo(target);
  }

  @Test
  void of_unknownMembers_areTold() {
    JsonPatch patch =
        JsonPatch.of(
            PatchTables.json("[{'op':'test','path':''},{'op':'x','valu':1,'path':'/a','y':2}]"));

    assertThat(patch.unknownFields())
        .containsExactly("unknown field \"[1].valu\"", "unknown field \"[1].y\"");
  }

  @Test
  void apply_wholeDocument_isReplacedAndTested() {
    MapNode target = MapNode.of("a", new Node.Int(1));

    assertThat(
            JsonPatch.of(
                    PatchTables.json(
                        "[{'op':'test','path':'','value':{'a':1}},{'op':'replace','path':'','value':{'b':{}}},"
                            + "{'op':'add','path':'/b/c','value':2}]"))
                .apply(target))
        .isEqualTo(PatchTables.json("{'b':{'c':2}}"));
    assertThat(
            JsonPatch.of(PatchTables.json("[{'op':'replace','path':'','value':[1]}]"))
                .apply(target))
        .isEqualTo(PatchTables.json("[1]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[{'op':'replace','path':'','value':7}]           | replace operation value must be object"
            + " or array",
        "[{'op':'test','path':'','value':{'l':[2]}}]      | testing value  failed",
        "[{'op':'add','path':'','value':{}}]              | doc is missing path",
        "[{'op':'add','path':'l','value':{}}]             | doc is missing path",
        "[{'op':'remove','path':''}]                      | doc is missing path",
        "[{'op':'copy','from':'','path':'/x'}]            | doc is missing from path",
        "[{'op':'add','path':'/l/0x1','value':1}]         | not a proper array index: '0x1'",
        "[{'op':'add','path':'/l/99999999999','value':1}] | not a proper array index:"
            + " '99999999999'",
        "[{'op':'add','path':'/l/-3','value':1}]          | invalid index: -3",
        "[{'op':'remove','path':'/l/-2'}]                 | invalid index: -2",
        "[{'op':'add','path':'/l/+','value':1}]           | not a proper array index: '+'",
      })
  void apply_oddPaths_areRefused(String patch, String message) {
    assertRefused("{'l':[1]}", patch, message);
  }

  @Test
  void of_moreOperationsThanAllowed_isTooLarge() {
    String one = "{'op':'test','path':'','value':{}}";
    String most = (one + ",").repeat(JsonPatch.MAX_OPERATIONS - 1) + one;

    assertThat(JsonPatch.of(PatchTables.json("[" + most + "]")).apply(MapNode.EMPTY))
        .isEqualTo(MapNode.EMPTY);
    assertThatThrownBy(() -> JsonPatch.of(PatchTables.json("[" + most + "," + one + "]")))
        .isInstanceOfSatisfying(
            PatchException.class, e -> assertThat(e.fault()).isEqualTo(Fault.TOO_LARGE))
        .hasMessage("The allowed maximum operations in a JSON patch is 10000, got 10001");
  }

  @Test
  void apply_copiesThatDouble_areBounded() {
    StringBuilder patch = new StringBuilder("[{'op':'add','path':'/a','value':['0123456789']}");
    for (int i = 0; i < 40; i++) {
      patch.append(",{'op':'copy','from':'/a','path':'/a/-'}");
    }

    assertRefused("{}", patch.append(']').toString(), "accumulated size increase");
  }

  @Test
  void apply_copiesWithinTheBound_areMade() {
    Node text = Node.text("x".repeat(MEBIBYTE));
    String copies = "[{'op':'copy','from':'/a','path':'/b'},{'op':'copy','from':'/a','path':'/c'}]";

    assertThat(JsonPatch.of(PatchTables.json(copies)).apply(MapNode.of("a", text)))
        .isInstanceOfSatisfying(MapNode.class, map -> assertThat(map.get("c")).isEqualTo(text));
  }

  @Test
  void apply_copiesThatNestDeeper_areBounded() {
    StringBuilder patch = new StringBuilder("[{'op':'add','path':'/a','value':{}}");
    for (int i = 0; i < 600; i++) {
      patch.append(",{'op':'copy','from':'/a','path':'/a/b'}");
    }

    assertRefused("{}", patch.append(']').toString(), "deeper than 512 levels");
  }

  @Test
  void apply_movesThatNestDeeper_areBounded() {
    StringBuilder patch = new StringBuilder("[{'op':'add','path':'/a','value':{}}");
    for (int i = 0; i < 3000; i++) {
      patch.append(",{'op':'add','path':'/b','value':{}},{'op':'move','from':'/a','path':'/b/c'}");
      patch.append(",{'op':'move','from':'/b','path':'/a'}");
    }

    assertRefused("{}", patch.append(']').toString(), "deeper than 512 levels");
  }

  @Test
  void apply_longPath_isBounded() {
    assertRefused(
        "{}", "[{'op':'add','path':'" + "/a".repeat(200_000) + "'}]", "deeper than 512 levels");
  }

  @Test
  void apply_manyOperationsOnOneLargeMap_takeLittleTime() {
    MapNode.Builder large = MapNode.builder(100_000);
    for (int i = 0; i < 100_000; i++) {
      large.put("key" + i, new Node.Int(i));
    }
    StringBuilder patch = new StringBuilder("[");
    for (int i = 0; i < JsonPatch.MAX_OPERATIONS; i++) {
      patch.append(i == 0 ? "" : ",").append("{'op':'replace','path':'/m/key").append(i);
      patch.append("','value':0}");
    }

    Node patched =
        JsonPatch.of(PatchTables.json(patch.append(']').toString()))
            .apply(MapNode.of("m", large.build()));

    assertThat(((MapNode) patched).map("m").get("key9999")).isEqualTo(new Node.Int(0));
  }
}
