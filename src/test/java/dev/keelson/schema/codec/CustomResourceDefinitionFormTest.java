package dev.keelson.schema.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.protobuf.ProtobufOutput;
import dev.keelson.schema.codec.protobuf.ProtobufReader;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.Decoded;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The values of a CustomResourceDefinition that are of more than one shape. JSON in the tables has
 * ' for ".
 */
@Timeout(60)
class CustomResourceDefinitionFormTest {

  private static final String PACKAGE = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";
  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();
  private static final StructSchema DEFINITION =
      SCHEMAS.struct(PACKAGE + "CustomResourceDefinition");
  private static final StructSchema SCHEMA = SCHEMAS.struct(PACKAGE + "JSONSchemaProps");

  private static Decoded read(String json, FieldValidation validation) {
    return ObjectReader.json(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), SCHEMA, validation);
  }

  private static String json(MapNode tree) {
    return new String(ObjectWriter.json(tree), StandardCharsets.UTF_8).replace('"', '\'').strip();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'items':{'type':'string'}}         | {'items':{'type':'string'}}",
        "{'items':[{'type':'string'},{}]}    | {'items':[{'type':'string'},{}]}",
        "{'items':[]}                        | {}",
        "{'items':7}                         | {}",
        "{'items':null}                      | {}",
        "{'additionalProperties':true}       | {'additionalProperties':true}",
        "{'additionalProperties':false}      | {'additionalProperties':false}",
        "{'additionalProperties':{}}         | {'additionalProperties':{}}",
        "{'additionalProperties':null}       | {}",
        "{'dependencies':{'b':['c'],'a':{}}} | {'dependencies':{'a':{},'b':['c']}}",
        "{'dependencies':{'a':[]}}           | {'dependencies':{'a':null}}",
        "{'default':{'b':1.0,'a':null}}      | {'default':{'a':null,'b':1}}",
        "{'default':null}                    | {}",
        "{'enum':[null,1,'a',{}]}            | {'enum':[null,1,'a',{}]}",
        "{'properties':{'b':{},'a':null}}    | {'properties':{'a':{},'b':{}}}",
        "{'maximum':1.50,'minimum':-0}       | {'maximum':1.5,'minimum':-0}",
        "{'$ref':'','$schema':'s','x-kubernetes-int-or-string':false}|{'$schema':'s','$ref':''}",
      })
  void schema_isReadAndWritten(String body, String expected) {
    MapNode tree = read(body, FieldValidation.STRICT).root();
    byte[] message = new ProtobufOutput(64).message(tree, SCHEMA).toBytes();

    assertThat(json(tree)).isEqualTo(expected.strip());
    assertThat(json(ProtobufReader.object(message, 0, message.length, SCHEMA)))
        .isEqualTo(expected.strip());
    assertThat(new ProtobufOutput(64).message(reread(message), SCHEMA).toBytes())
        .isEqualTo(message);
  }

  private static MapNode reread(byte[] message) {
    return ProtobufReader.object(message, 0, message.length, SCHEMA);
  }

  @Test
  void message_ofSchemaOrBool_hasBothFields() {
    MapNode tree = read("{'additionalProperties':{'type':'a'}}", FieldValidation.IGNORE).root();

    assertThat(new ProtobufOutput(64).message(tree, SCHEMA).toBytes())
        .containsSequence(new byte[] {8, 1, 18})
        .doesNotContain((byte) '{');
  }

  @ParameterizedTest
  @CsvSource({"'7'", "[]", "'\"a\"'"})
  void additionalProperties_ofAnotherShape_areRefused(String value) {
    assertThatThrownBy(() -> read("{'additionalProperties':" + value + "}", FieldValidation.IGNORE))
        .isInstanceOfSatisfying(
            DecodeException.class,
            refused -> assertThat(refused.text()).isEqualTo("boolean or JSON schema expected"));
  }

  @Test
  void unknownFields_areReportedOutsideOfUnionsOnly() {
    assertThat(read("{'a':1,'items':{'b':1},'not':{'c':1,'c':2}}", FieldValidation.WARN).problems())
        .containsExactly("unknown field \"a\"", "unknown field \"not.c\"");
  }

  static Stream<Path> files() throws IOException, URISyntaxException {
    Path folder =
        Path.of(
            Objects.requireNonNull(CustomResourceDefinitionFormTest.class.getResource("/crds"))
                .toURI());
    List<Path> files;
    try (Stream<Path> found = Files.list(folder)) {
      files = found.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
    assertThat(files).hasSizeGreaterThan(3);
    return files.stream();
  }

  @ParameterizedTest
  @MethodSource("files")
  void definition_isTheSameInEveryForm(Path file) throws IOException {
    Decoded decoded =
        ObjectReader.yaml(Files.readAllBytes(file), DEFINITION, FieldValidation.STRICT);
    assertThat(decoded.problems()).isEmpty();
    MapNode root = decoded.root();

    byte[] json = StoredForm.encode(root, DEFINITION);
    byte[] protobuf = StoredForm.encode(root, DEFINITION, StoredForm.Medium.PROTOBUF);

    assertThat(StoredForm.decode(json, DEFINITION)).isEqualTo(root);
    assertThat(StoredForm.decode(protobuf, DEFINITION)).isEqualTo(root);
    assertThat(protobuf.length).isLessThan(json.length);
    assertThat(root.map("spec").maps("versions"))
        .allSatisfy(
            version ->
                assertThat(version.map("schema").map("openAPIV3Schema").get("type"))
                    .isEqualTo(Node.text("object")));
  }
}
