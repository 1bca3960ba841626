package dev.keelson.schema.validation.apiextensions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The causes to reject definitions; JSON has ' for ". */
@Timeout(60)
class CustomResourceDefinitionRulesTest {

  private static final String ESTABLISHED =
      "'status':{'conditions':[{'type':'Established','status':'True'}],'storedVersions':['v1']}";

  private final Definitions rules = new Definitions();

  /** What is sent, and the causes. */
  record Case(String sent, List<String> causes) {
    @Override
    public String toString() {
      return sent;
    }
  }

  static Stream<Case> specs() throws IOException {
    return cases("specs.txt");
  }

  static Stream<Case> schemas() throws IOException {
    return cases("schemas.txt");
  }

  private static Stream<Case> cases(String file) throws IOException {
    List<Case> cases = new ArrayList<>();
    try (InputStream in =
        Objects.requireNonNull(
            CustomResourceDefinitionRulesTest.class.getResourceAsStream(
                "/apiextensions/" + file))) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (line.startsWith("{")) {
          cases.add(new Case(line, new ArrayList<>()));
        } else if (line.startsWith("  ")) {
          cases.getLast().causes.add(line.strip());
        }
      }
    }
    assertThat(cases).hasSizeGreaterThan(40);
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("specs")
  void newDefinition_hasCauses(Case example) {
    assertThat(rules.create(Definitions.of(example.sent))).isEqualTo(example.causes);
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void newSchema_hasCauses(Case example) {
    assertThat(rules.create(Definitions.withSchema(example.sent))).isEqualTo(example.causes);
  }

  private List<String> update(String before, String after) {
    return rules.update(Definitions.of(after), Definitions.of(before), "");
  }

  @Test
  void update_ofAnEstablishedDefinition_keepsScopeAndKind() {
    String after = "{'spec':{'scope':'Cluster','names':{'kind':'Other'}}," + ESTABLISHED + "}";

    assertThat(update("{" + ESTABLISHED + "}", after))
        .containsExactly(
            "spec.scope: Invalid value: 'Cluster': field is immutable",
            "spec.names.kind: Invalid value: 'Other': field is immutable");
    assertThat(update("{}", after)).isEmpty();
  }

  @Test
  void update_keepsGroupAndPlural() {
    assertThat(update("{}", "{'spec':{'group':'other.com','names':{'plural':'others'}}}"))
        .containsExactly(
            "spec.group: Invalid value: 'other.com': field is immutable",
            "spec.names.plural: Invalid value: 'others': field is immutable");
  }

  @Test
  void update_keepsVersionsThatWereStored() {
    assertThat(update("{}", "{'status':{'storedVersions':['v0','v1']}}"))
        .singleElement()
        .asString()
        .startsWith(
            "status.storedVersions[0]: Invalid value: 'v0': missing from spec.versions; v0");
  }

  @Test
  void update_ofADefinitionThatBreaksLaterRules_mayKeepThem() {
    String schema =
        "{'spec':{'versions':[{'name':'v1','storage':true,'served':true,'schema':"
            + "{'openAPIV3Schema':{'type':'object','properties':{"
            + "'a':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'object'}},"
            + "'b':{'type':'array','x-kubernetes-list-type':'set','items':"
            + "{'type':'string','nullable':true}},"
            + "'c':{'type':'object','default':{'x':1}}}}}}]}}";

    assertThat(update("{}", schema)).hasSize(3);
    assertThat(update(schema, schema)).isEmpty();
  }

  @Test
  void update_ofADefinitionThatPreservesUnknownFields_needsNoStructure() {
    String before =
        "{'spec':{'preserveUnknownFields':true,'versions':[{'name':'v1',"
            + "'served':true,'storage':true,'schema':{'openAPIV3Schema':{'properties':{'a':{}}}}}]}}";

    assertThat(update(before, before)).isEmpty();
    assertThat(update(before, before.replace("'preserveUnknownFields':true,", "")))
        .containsExactly(
            "spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be empty"
                + " for specified object fields",
            "spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root");
  }

  @Test
  void update_ofADefinitionWithoutSchemas_needsNone() {
    String before =
        "{'spec':{'preserveUnknownFields':true,'versions':[{'name':'v1','served':true,"
            + "'storage':true}]}}";

    assertThat(update(before, before)).isEmpty();
    assertThat(update(before, before.replace("'preserveUnknownFields':true,", "")))
        .containsExactly(
            "spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields"
                + " are pruned");
  }

  @Test
  void update_mayKeepUnknownReviewVersionsAndBundles() {
    String before =
        "{'spec':{'conversion':{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v7'],"
            + "'clientConfig':{'url':'https://h','caBundle':'YWJj'}}}},"
            + ESTABLISHED
            + "}";

    assertThat(update(before, before)).isEmpty();
    assertThat(update(before.replace("v7", "v1").replace(",'caBundle':'YWJj'", ""), before))
        .containsExactly(
            "spec.conversion.webhookClientConfig.caBundle: Invalid value: 'YWJj': unable to load"
                + " root certificates: unable to parse bytes as PEM block",
            "spec.conversion.conversionReviewVersions: Invalid value: ['v7']: must include at"
                + " least one of v1, v1beta1");
  }

  @Test
  void approval_mayStayMissing() {
    String group = "'metadata':{'name':'tabs.x.k8s.io'%s},'spec':{'group':'x.k8s.io'}";
    String missing = "{" + group.formatted("") + "}";
    String approved =
        "{" + group.formatted(",'annotations':{'api-approved.kubernetes.io':'https://a/b'}") + "}";

    assertThat(update(missing, missing)).isEmpty();
    assertThat(update(approved, missing)).hasSize(1);
  }

  @Test
  void statusUpdate_isOnlyAboutAcceptedNames() {
    MapNode before = Definitions.of("{}");
    MapNode after =
        Definitions.of("{'status':{'storedVersions':['v9'],'acceptedNames':{'singular':'S'}}}");

    assertThat(rules.update(after, before, "status"))
        .singleElement()
        .asString()
        .startsWith("status.acceptedNames.singular: Invalid value: 'S': ");
  }

  @Test
  void rootWithAStatus_isToldOfTheFirstFieldThatIsNotAllowed() {
    String patch =
        "{'spec':{'versions':[{'name':'v1','storage':true,'subresources':{'status':{}},'schema':"
            + "{'openAPIV3Schema':{'type':'string','$ref':'x'}}}]}}";

    assertThat(rules.create(Definitions.of(patch)).getFirst())
        .startsWith("spec.validation.openAPIV3Schema: Invalid value: ")
        .contains(": only [Description Type Format ");
  }

  @Test
  void storedSchemas_mayBeFoundNotStructural() {
    String schemas =
        "{'spec':{'preserveUnknownFields':true,'versions':["
            + "{'name':'v1','schema':{'openAPIV3Schema':%s}},"
            + "{'name':'v2','schema':{'openAPIV3Schema':%s}},{'name':'v3'}]}}";
    String structural = "{'type':'object'}";
    String loose = "{'properties':{'a':{}}}";
    String unknown = "{'type':'object','$ref':'x'}";

    assertThat(StructuralForm.violation(Definitions.of("{}"), Definitions.SCHEMA)).isEmpty();
    assertThat(violation(schemas.formatted(structural, structural)))
        .isEqualTo(
            new StructuralForm.Violation(
                true, "spec.preserveUnknownFields: Invalid value: true: must be false"));
    assertThat(violation(schemas.formatted(structural, loose)))
        .isEqualTo(
            new StructuralForm.Violation(
                true,
                "[spec.preserveUnknownFields: Invalid value: true: must be false,"
                    + " spec.versions[1].schema.openAPIV3Schema.properties[a].type: Required value:"
                    + " must not be empty for specified object fields,"
                    + " spec.versions[1].schema.openAPIV3Schema.type: Required value: must not be"
                    + " empty at the root]"));
    assertThat(violation(schemas.formatted(loose, unknown)))
        .isEqualTo(
            new StructuralForm.Violation(
                false,
                "failed to check validation schema for version v2: OpenAPIV3Schema '$ref' is not"
                    + " supported"));
  }

  private static StructuralForm.Violation violation(String definition) {
    return StructuralForm.violation(Definitions.of(definition), Definitions.SCHEMA).orElseThrow();
  }

  @Test
  void unrecognizedFormats_areWarnedAboutOnce() {
    MapNode before = formats("date", "blue");
    MapNode after = formats("date", "green", "int32", "green", "date-time", "k8s-short-name");

    assertThat(rules.create(before)).isEmpty();
    assertThat(rules.warnings).containsExactly("unrecognized format \"blue\"");
    rules.warnings.clear();
    assertThat(rules.update(after, before, "")).isEmpty();
    assertThat(rules.warnings)
        .containsExactly("unrecognized format \"green\"", "unrecognized format \"int32\"");
  }

  private static MapNode formats(String... formats) {
    return Definitions.withSchema(
        IntStream.range(0, formats.length)
            .mapToObj(i -> "'f" + i + "':{'type':'string','format':'" + formats[i] + "'}")
            .collect(
                Collectors.joining(
                    ",",
                    "{'type':'object','properties':{" + "'n':{'type':'integer','format':'int32'},",
                    "}}")));
  }

  @Test
  void defaults_areValidatedWithTheirSchemaAndObject() {
    List<String> asked = new ArrayList<>();
    DefaultValidation defaults =
        new DefaultValidation() {
          @Override
          public List<FieldCause> validate(Node value, StructuralSchema schema, String path) {
            asked.add(path + " " + value + " " + schema.type());
            return List.of(new FieldCause("FieldValueInvalid", "Invalid value: no", path + ".x"));
          }

          @Override
          public String metadataProblem(MapNode object, StructuralSchema schema) {
            asked.add(object.map("metadata").text("name") + " " + object.text("kind"));
            return object.map("metadata").text("name").equals("Bad") ? "bad name" : "";
          }
        };
    MapNode definition =
        Definitions.withSchema(
            "{'type':'object','properties':{'a':{'type':'string','default':'x'},"
                + "'t':{'type':'object','x-kubernetes-embedded-resource':true,"
                + "'x-kubernetes-preserve-unknown-fields':true,'properties':{'metadata':"
                + "{'type':'object','properties':{'name':{'type':'string','default':'Bad'}}}}}}}");

    assertThat(new Definitions(defaults, SchemaExpressions.NONE).create(definition))
        .containsExactly(
            "spec.validation.openAPIV3Schema.properties[a].default.x: Invalid value: no",
            "spec.validation.openAPIV3Schema.properties[t].properties[metadata].properties[name]"
                + ".default: Invalid value: 'Bad': must result in valid metadata: bad name");
    assertThat(asked).contains("Bad Validation");
  }

  @Test
  void expressions_areCheckedLastAndOnlyInStructuralSchemas() {
    List<SchemaExpressions.Request> asked = new ArrayList<>();
    SchemaExpressions expressions =
        request -> {
          asked.add(request);
          return List.of(new FieldCause("FieldValueInvalid", "Invalid value: cel", "rules"));
        };
    Definitions with = new Definitions(DefaultValidation.NONE, expressions);
    String rule = "'x-kubernetes-validations':[{'rule':'self.a == 1','messageExpression':'m'}]";

    assertThat(
            with.create(
                Definitions.withSchema(
                    "{'type':'object',"
                        + rule
                        + ",'properties':{'b':{'type':'array','items':"
                        + "{'type':'string'},'uniqueItems':true}}}")))
        .containsExactly(
            "spec.validation.openAPIV3Schema.properties[b].uniqueItems: Forbidden: uniqueItems"
                + " cannot be set to true since the runtime complexity becomes quadratic",
            "rules: Invalid value: cel");
    assertThat(asked.getFirst().path()).isEqualTo("spec.validation.openAPIV3Schema");
    assertThat(asked.getFirst().skipped().test("spec.validation.openAPIV3Schema")).isTrue();
    asked.clear();

    assertThat(with.create(Definitions.withSchema("{" + rule + "}"))).hasSize(1);
    assertThat(asked).isEmpty();

    MapNode definition = Definitions.withSchema("{'type':'object'," + rule + "}");
    assertThat(with.update(definition, definition, "")).hasSize(1);
    assertThat(asked.getFirst().unchanged()).isTrue();
  }
}
