package dev.keelson.schema.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.protobuf.ProtobufList;
import dev.keelson.schema.codec.protobuf.ProtobufOutput;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The exact bytes of values, zero ones above all: they stand in no full object. JSON has ' for ",
 * protobuf is in hexadecimal.
 */
@Timeout(120)
class ProtobufFormTest {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();
  private static final String META = "0a00 1200 1a00 2200 2a00 3200 3800 4200";

  private static StructSchema schema(String name) {
    return SCHEMAS.struct(
        name.startsWith("meta.") ? "io.k8s.apimachinery.pkg.apis." + name : "io.k8s.api." + name);
  }

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static MapNode tree(String json, StructSchema schema) {
    return ObjectReader.json(
            json.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
            schema,
            FieldValidation.STRICT)
        .root();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          core.v1.ConfigMap          | {}                            | 0a10 META
          core.v1.ConfigMap          | {'immutable':false}           | 0a10 META 2000
          core.v1.ConfigMap          | {'data':{'b':'','a':'é😀'}}   | 0a10 META 120b 0a0161 1206 c3a9 f09f9880 1205 0a0162 1200
          core.v1.Secret             | {'data':{'a':''}}             | 0a10 META 1205 0a0161 1200 1a00
          core.v1.Secret             | {'data':{'a':'AP8='}}         | 0a10 META 1207 0a0161 1202 00ff 1a00
          core.v1.Namespace          | {}                            | 0a10 META 1200 1a02 0a00
          core.v1.ContainerPort      | {'containerPort':-1}          | 0a00 1000 18ffffffffffffffffff01 2200 2a00
          core.v1.HTTPGetAction      | {'port':80}                   | 0a00 1206 0800 1050 1a00 1a00 2200
          core.v1.HTTPGetAction      | {'port':'80%'}                | 0a00 1209 0801 1000 1a03 383025 1a00 2200
          core.v1.TCPSocketAction    | {}                            | 0a06 0800 1000 1a00 1200
          core.v1.EmptyDirVolumeSource | {}                          | 0a00
          core.v1.EmptyDirVolumeSource | {'sizeLimit':'0'}           | 0a00 1203 0a0130
          core.v1.ResourceFieldSelector | {'resource':'r'}           | 0a00 1201 72 1a03 0a0130
          core.v1.Volume             | {'name':'v','emptyDir':{}}    | 0a01 76 1204 1202 0a00
          core.v1.Toleration         | {'tolerationSeconds':0}       | 0a00 1200 1a00 2200 2800
          coordination.v1.LeaseSpec  | {}                            | ``
          coordination.v1.LeaseSpec  | {'renewTime':'1970-01-01T00:00:01.000002Z'} | 2205 0801 10d00f
          coordination.v1.LeaseSpec  | {'acquireTime':'0000-01-01T00:00:00.000000Z'} | 1a0d 088088aeb498feffffff01 1000
          meta.v1.Condition          | {'lastTransitionTime':'2001-02-03T04:05:06Z'} | 0a00 1200 1800 2208 08f286eed303 1000 2a00 3200
          meta.v1.Condition          | {}                            | 0a00 1200 1800 2200 2a00 3200
          authentication.v1.UserInfo | {'extra':{'k':['a','']}}      | 0a00 1200 220a 0a016b 1205 0a0161 0a00
          authentication.v1.UserInfo | {'extra':{'k':[]}}            | 0a00 1200 2205 0a016b 1200
          apps.v1.ControllerRevision | {'data':{ 'a' : 1 },'revision':-2} | 0a10 META 1209 0a07 7b2261223a317d 18feffffffffffffffff01
          apps.v1.ControllerRevision | {}                            | 0a10 META 1200 1800
          meta.v1.Status             | {'status':'Success','code':200} | 0a06 0a00 1200 1a00 1207 53756363657373 1a00 2200 30c801
          meta.v1.DeleteOptions      | {'propagationPolicy':''}      | 2200
          """)
  void json_isWrittenAsKubernetesWritesIt(String type, String json, String hex) {
    StructSchema schema = schema(type);

    byte[] message = new ProtobufOutput(1).message(tree(json, schema), schema).toBytes();

    assertThat(HexFormat.of().formatHex(message))
        .isEqualTo(HexFormat.of().formatHex(hex(hex.replace("META", META))));
  }

  @Test
  void editedTree_isWrittenWithMapsInOrder() {
    StructSchema schema = schema("core.v1.ConfigMap");
    MapNode edited =
        MapNode.EMPTY.with(
            "data", MapNode.of("b", Node.text("2")).with("a", Node.text("x\ud83dy")));

    byte[] message = new ProtobufOutput(1).message(edited, schema).toBytes();

    assertThat(message)
        .isEqualTo(hex("0a10" + META + "120a 0a0161 1205 78efbfbd79 1206 0a0162 120132"));
  }

  @Test
  void treeThatDoesNotFitTheSchema_isTheCallersMistake() {
    StructSchema schema = schema("core.v1.ConfigMap");
    MapNode wrong = MapNode.of("data", Node.text("no map"));

    assertThatThrownBy(() -> ObjectWriter.protobuf(wrong, schema))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no map");
  }

  @Test
  void envelope_namesTheTypeAndNothingElse() {
    StructSchema schema = schema("core.v1.ConfigMap");
    MapNode object = tree("{'kind':'ConfigMap','apiVersion':'v1'}", schema);

    assertThat(ObjectWriter.protobuf(object, schema))
        .isEqualTo(
            hex("6b387300 0a0f 0a02 7631 1209 436f6e6669674d6170 1212 0a10" + META + "1a00 2200"));
  }

  @Test
  void listInPieces_isTheListInOne() {
    StructSchema list = schema("core.v1.ConfigMapList");
    StructSchema item = schema("core.v1.ConfigMap");
    MapNode whole =
        tree(
            "{'kind':'ConfigMapList','apiVersion':'v1','metadata':{'resourceVersion':'7',"
                + "'remainingItemCount':3},'items':[{'metadata':{'name':'a'},'data':{'k':'v'}},{}]}",
            list);
    ByteArrayOutputStream pieces = new ByteArrayOutputStream();

    List<byte[]> items =
        whole.items("items").stream().map(each -> ProtobufList.item((MapNode) each, item)).toList();
    int itemBytes = items.stream().mapToInt(each -> each.length).sum();
    pieces.writeBytes(
        ProtobufList.head(
            "v1", "ConfigMapList", whole.map("metadata"), schema("meta.v1.ListMeta"), itemBytes));
    items.forEach(pieces::writeBytes);
    pieces.writeBytes(ProtobufList.tail());

    assertThat(pieces.toByteArray()).isEqualTo(ObjectWriter.protobuf(whole, list));
    assertThat(ObjectReader.protobuf(pieces.toByteArray(), list, FieldValidation.STRICT).root())
        .isEqualTo(whole);
  }
}
