package dev.keelson.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.write.ObjectMetaValidation;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.defaulting.SchemaDefaults;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.schema.validation.ObjectValidation;
import dev.keelson.schema.validation.apiextensions.ApiExtensionsKinds;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Definitions with the checks of their defaults and CEL rules. JSON has ' for ". */
@Timeout(60)
class DefinitionChecksTest {

  private static final StructSchema SCHEMA =
      ProtoSchemas.fromClassPath()
          .struct(
              "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition");
  private static final GroupVersionKind KIND =
      new GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
  private static final ObjectValidation VALIDATION =
      new ObjectValidation(
          ApiExtensionsKinds.rules(
                  new DefinitionDefaults(SCHEMA, ObjectMetaValidation::validateEmbedded),
                  new DefinitionExpressions())
              ::get);

  /** The schema of an embedded object, without its closing brace. */
  private static final String EMBEDDED =
      "{'type':'object','x-kubernetes-embedded-resource':true,"
          + "'x-kubernetes-preserve-unknown-fields':true";

  private static final SchemaDefaults DEFAULTS =
      new SchemaDefaults(
          literal -> ObjectReader.untypedJson(literal.getBytes(StandardCharsets.UTF_8)));

  static Stream<Path> files() throws IOException, URISyntaxException {
    Path folder =
        Path.of(Objects.requireNonNull(DefinitionChecksTest.class.getResource("/crds")).toURI());
    List<Path> files;
    try (Stream<Path> found = Files.list(folder)) {
      files = found.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
    assertThat(files).hasSizeGreaterThan(3);
    return files.stream();
  }

  private static MapNode read(byte[] yaml) {
    return DEFAULTS.complete(
        ObjectReader.yaml(yaml, SCHEMA, FieldValidation.STRICT).root(), SCHEMA);
  }

  private static List<FieldCause> create(MapNode definition) {
    return VALIDATION.validateCreate(KIND, KIND, SCHEMA, new ApiObject(definition), _ -> {});
  }

  @ParameterizedTest
  @MethodSource("files")
  void realDefinition_isValid(Path file) throws IOException {
    assertThat(create(read(Files.readAllBytes(file)))).isEmpty();
  }

  /** A schema, and the causes as type and path below the root. */
  record Row(String schema, List<String> causes) {
    @Override
    public String toString() {
      return schema;
    }
  }

  static Stream<Row> rules() throws IOException {
    List<Row> rows = new ArrayList<>();
    try (InputStream in =
        Objects.requireNonNull(
            DefinitionChecksTest.class.getResourceAsStream("/apiextensions/rules.txt"))) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (line.startsWith("{")) {
          rows.add(new Row(line, new ArrayList<>()));
        } else {
          rows.getLast().causes.add(line.strip());
        }
      }
    }
    return rows.stream();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void schemaWithRules_hasCauses(Row row) {
    String root = "spec.validation.openAPIV3Schema";

    assertThat(causes(row.schema))
        .map(
            cause ->
                (cause.reason().replace("FieldValue", "")
                        + " "
                        + cause.field().replace(root, "").replaceFirst("^\\.", ""))
                    .strip())
        .isEqualTo(row.causes);
  }

  private static List<String> fields(String properties) {
    return causes("{'type':'object','properties':" + properties + "}").stream()
        .map(FieldCause::field)
        .toList();
  }

  private static List<FieldCause> causes(String schema) {
    String definition =
        """
        {'metadata':{'name':'tabs.example.com'},'spec':{'group':'example.com','scope':'Cluster',
        'names':{'plural':'tabs','kind':'Tab'},'versions':[{'name':'v1','served':true,
        'storage':true,'schema':{'openAPIV3Schema':%s}}]}}
        """
            .formatted(schema);
    MapNode root = read(definition.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    assertThat(root.map("spec").get("conversion"))
        .isEqualTo(MapNode.of("strategy", Node.text("None")));
    return create(root);
  }

  @Test
  void default_ofAnotherType_isRefused() {
    assertThat(fields("{'a':{'type':'string','default':1},'b':{'type':'integer','default':1}}"))
        .containsExactly("spec.validation.openAPIV3Schema.properties[a].default");
  }

  /** The problem of a default of the property {@code a}, which embeds an object. */
  private static List<String> embeddedDefault(String metadata) {
    return problems(
        "'properties':{'a':"
            + EMBEDDED
            + ",'default':{'apiVersion':'v1','kind':'Cup','metadata':%s}}}".formatted(metadata));
  }

  private static List<String> problems(String schema) {
    return causes("{'type':'object'," + schema + "}").stream()
        .map(cause -> cause.summary().replace("spec.validation.openAPIV3Schema.", ""))
        .map(text -> text.replaceFirst("a valid label must .*", "no label").replace('"', '\''))
        .toList();
  }

  @Test
  void defaultWithMetadata_isTypedAndValidated() {
    assertThat(embeddedDefault("null")).isEmpty();
    assertThat(embeddedDefault("{'name':'a','saucer':1}")).isEmpty();
    assertThat(embeddedDefault("4"))
        .containsExactly(
            "properties[a].default.metadata: Invalid value: 4: json: cannot unmarshal number into"
                + " Go value of type v1.ObjectMeta");
    assertThat(embeddedDefault("{'labels':{'b':false,'c':'^'}}"))
        .containsExactly(
            "properties[a].default.metadata: Invalid value: {'labels':{'b':false,'c':'^'}}: json:"
                + " cannot unmarshal bool into Go struct field ObjectMeta.labels of type string");
    assertThat(embeddedDefault("{'labels':{'b':'^','c':'/'}}"))
        .containsExactly(
            "properties[a].default.metadata.labels: Invalid value: '^': no label",
            "properties[a].default.metadata.labels: Invalid value: '/': no label");
  }

  @Test
  void defaultThatEmbedsObjects_namesThem() {
    String list = "'properties':{'a':{'type':'array','items':" + EMBEDDED + "},'default':[%s]}}";
    String good = "{'apiVersion':'v1','kind':'Cup'}";

    assertThat(problems(list.formatted(good + ",{'apiVersion':1,'kind':''},{'kind':2}")))
        .containsExactly("properties[a].default[1].apiVersion: Invalid value: 1: must be a string");
    assertThat(
            problems(list.formatted("{'apiVersion':'v1','kind':'Cup','metadata':{'name':'a/b'}}")))
        .containsExactly(
            "properties[a].default[0].metadata.name: Invalid value: 'a/b': may not contain '/'");
  }

  @Test
  void defaultInMetadata_isTypedAndValidated() {
    String metadata =
        "'properties':{'a':"
            + EMBEDDED
            + ",'properties':{'metadata':{'type':'object','properties':{'labels':{'type':'object',"
            + "'additionalProperties':{'type':'%s'},'default':%s}}}}}}";
    String labels =
        "properties[a].properties[metadata].properties[labels].default: Invalid value: ";

    assertThat(problems(metadata.formatted("integer", "{'b':3}")))
        .containsExactly(
            labels
                + "{'b':3}: must result in valid metadata: metadata: Invalid value:"
                + " {'labels':{'b':3}}: json: cannot unmarshal number into Go struct field"
                + " ObjectMeta.labels of type string");
    assertThat(problems(metadata.formatted("string", "{'b':'^','c':'^'}")))
        .containsExactly(
            labels
                + "{'b':'^','c':'^'}: must result in valid metadata: metadata.labels: Invalid"
                + " value: '^': no label");
  }

  @Test
  void ruleThatDoesNotCompile_isRefused() {
    assertThat(
            fields(
                "{'a':{'type':'string','x-kubernetes-validations':"
                    + "[{'rule':'self > 1'},{'rule':'true'}]}}"))
        .containsExactly(
            "spec.validation.openAPIV3Schema.properties[a].x-kubernetes-validations[0].rule");
  }
}
