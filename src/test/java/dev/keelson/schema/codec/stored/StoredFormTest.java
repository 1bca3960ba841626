package dev.keelson.schema.codec.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON in the tables has ' for ". */
class StoredFormTest {

  private static final GroupVersionKind KIND = new GroupVersionKind("", "v1", "ConfigMap");
  private static final StructSchema SCHEMA =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.ConfigMap");

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8).replace('"', '\'');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                         | {'resourceVersion':'7'}
          {'name':'a'}                               | {'name':'a','resourceVersion':'7'}
          {'name':'a','uid':'u','generation':2}      | {'name':'a','uid':'u','resourceVersion':'7','generation':2}
          {'name':'a\\\\','namespace':'\\'','uid':'u'} | {'name':'a\\\\','namespace':'\\'','uid':'u','resourceVersion':'7'}
          {'generateName':'a','labels':{'uid':'x'}}  | {'generateName':'a','resourceVersion':'7','labels':{'uid':'x'}}
          {'labels':{'name':'x'},'name':'later'}     | {'resourceVersion':'7','labels':{'name':'x'},'name':'later'}
          """)
  void splice_putsTheRevisionWhereGoDeclaresIt(String meta, String served) {
    byte[] stored =
        json("{'apiVersion':'v1','kind':'ConfigMap','metadata':" + meta + ",'data':{'a':'b'}}");
    GroupVersionKind other = new GroupVersionKind("x", "v2", "Map");

    Served object = Objects.requireNonNull(Splice.object(KIND, other).of(stored, 7));
    Served item = Objects.requireNonNull(Splice.listItem(KIND).of(stored, 7));

    assertThat(text(object.toBytes()))
        .isEqualTo("{'kind':'Map','apiVersion':'x/v2','metadata':" + served + ",'data':{'a':'b'}}");
    assertThat(text(item.toBytes())).isEqualTo("{'metadata':" + served + ",'data':{'a':'b'}}");
    assertThat(item.stored()).isSameAs(stored);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "k8s\0\n",
        "{'kind':'ConfigMap','apiVersion':'v1','metadata':{}}",
        "{'apiVersion':'v1','kind':'Secret','metadata':{}}",
        "{'apiVersion':'v1', 'kind':'ConfigMap','metadata':{}}",
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':null}",
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{"
      })
  void splice_ofAnythingElse_isLeftToTheDecoder(String stored) {
    assertThat(Splice.object(KIND, KIND).of(json(stored), 7)).isNull();
  }

  @Test
  void encode_hasAFixedHeadAndNeitherRevisionNorLink() {
    MapNode object =
        ObjectReader.json(
                json(
                    "{'data':{'b':'1','a':'2'},'metadata':{'uid':'u','resourceVersion':'5',"
                        + "'selfLink':'/x','name':'n'},'kind':'ConfigMap','apiVersion':'v1'}"),
                SCHEMA,
                FieldValidation.STRICT)
            .root();

    assertThat(text(StoredForm.encode(object, SCHEMA)))
        .isEqualTo(
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'n','uid':'u'},"
                + "'data':{'a':'2','b':'1'}}");
  }

  @Test
  void decode_readsWhatKubeApiserverWrote() {
    byte[] stored =
        json(
            "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'n','uid':'u','generation':1}}\n");

    assertThat(StoredForm.kindOf(stored)).isEqualTo(KIND);
    assertThat(text(ObjectWriter.json(StoredForm.decode(stored, SCHEMA, 12))))
        .isEqualTo(
            "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'n','uid':'u',"
                + "'resourceVersion':'12','generation':1}}");
    assertThat(StoredForm.decode(stored, SCHEMA).map("metadata").has("resourceVersion")).isFalse();
  }

  @Test
  void decode_readsProtobufThatKubeApiserverWrote() {
    String type = "0a0f0a0276311209436f6e6669674d6170";
    // with the cluster's name as number 15, which is no more
    String meta = "0a1e0a016e12001a026e7322002a0175320038004208" + "0880e8a5fd051000" + "7a00";
    String data = "12060a0161120131";
    byte[] stored = HexFormat.of().parseHex("6b387300" + type + "1228" + meta + data + "1a002200");

    assertThat(StoredForm.kindOf(stored)).isEqualTo(KIND);
    assertThat(text(ObjectWriter.json(StoredForm.decode(stored, SCHEMA, 12))))
        .isEqualTo(
            "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'n','namespace':'ns','uid':'u',"
                + "'resourceVersion':'12','creationTimestamp':'2020-11-09T16:53:20Z'},"
                + "'data':{'a':'1'}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"k8s\0", "k8s\0\n", "k8s\0\n\0", "k8s\0\22\0\32\0"})
  void brokenProtobuf_isAClearError(String stored) {
    assertThatThrownBy(() -> StoredForm.kindOf(json(stored))).isInstanceOf(DecodeException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "garbage",
        "[]",
        "{}",
        "{'kind':'Pod'}",
        "{'apiVersion':'a/b/c','kind':'Pod'}",
        "{'kind':"
      })
  void kindOf_garbage_isAClearError(String stored) {
    assertThatThrownBy(() -> StoredForm.kindOf(json(stored))).isInstanceOf(DecodeException.class);
  }
}
