package dev.keelson.admission.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.AdmissionCalls;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cases of Kubernetes' validating/typechecking_test.go, on built-in types. */
class TypeCheckTest {

  private static final TypeCheck CHECK =
      new TypeCheck(
          new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct)));

  private static final String DEPLOYMENTS =
      "{'apiGroups':['apps'],'apiVersions':['v1'],'resources':['deployments']}";

  private static List<MapNode> warnings(String rules, String fields) {
    MapNode spec =
        AdmissionCalls.tree(
            "{'matchConstraints':{'resourceRules':[" + rules + "]}," + fields + "}");
    return Node.maps(CHECK.check(spec).items("expressionWarnings"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'validations':[{'expression':'object.spec.replicas == 1'}]||",
        "'validations':[{'expression':'object.foo == 1'}]|spec.validations[0].expression"
            + "|undefined field 'foo'",
        "'validations':[{'expression':'object.spec.replicas == object.kind'}]"
            + "|spec.validations[0].expression|found no matching overload for '_==_' applied to"
            + " '(int, string)'",
        "'paramKind':{'apiVersion':'v1','kind':'ConfigMap'},'validations':[{'expression':"
            + "'object.kind == params.bar'}]|spec.validations[0].expression|undefined field 'bar'",
        "'paramKind':{'apiVersion':'v1','kind':'ConfigMap'},'validations':[{'expression':"
            + "'params != null'}]||",
        // a type that is not served has no fields that could be missing
        "'paramKind':{'apiVersion':'example.com/v1','kind':'Unknown'},'validations':"
            + "[{'expression':'object.kind == params.bar'}]"
            + "|spec.validations[0].expression|undeclared reference to 'params'",
        "'validations':[{'expression':'object.kind == \\\"x\\\"'},{'expression':"
            + "'object.bar == 1'}]|spec.validations[1].expression|undefined field 'bar'",
        "'validations':[{'expression':'true','messageExpression':'object.kind + 114514'}]"
            + "|spec.validations[0].messageExpression|found no matching overload for '_+_' applied"
            + " to '(string, int)'",
        "'validations':[{'expression':'authorizer.group(\\\"\\\").resource(\\\"endpoints\\\")"
            + ".check(\\\"create\\\").allowed()'}]||",
        "'validations':[{'expression':'authorizer.allowed()'}]|spec.validations[0].expression"
            + "|found no matching overload for 'allowed' applied to"
            + " 'kubernetes.authorization.Authorizer",
        "'variables':[{'name':'works','expression':'true'}],'validations':[{'expression':"
            + "'variables.works'}]||",
        "'variables':[{'name':'works','expression':'true'}],'validations':[{'expression':"
            + "'variables.nonExisting'}]|spec.validations[0].expression"
            + "|undefined field 'nonExisting'",
        "'variables':[{'name':'name','expression':'\\\"something\\\"'}],'validations':"
            + "[{'expression':'variables.name == object.spec.replicas'}]"
            + "|spec.validations[0].expression|found no matching overload for '_==_' applied to"
            + " '(string, int)'",
        // what is wrong with a variable is not told of the expressions that use it
        "'variables':[{'name':'name','expression':'object.spec.replicas == \\\"str\\\"'}],"
            + "'validations':[{'expression':'variables.name == object.spec.replicas'}]||",
      })
  void expression_isCheckedAgainstTheType(String fields, String ref, String problem) {
    List<MapNode> warnings = warnings(DEPLOYMENTS, fields);

    if (ref == null) {
      assertThat(warnings).isEmpty();
    } else {
      assertThat(warnings).hasSize(1);
      assertThat(warnings.getFirst().text("fieldRef")).isEqualTo(ref);
      assertThat(warnings.getFirst().text("warning"))
          .startsWith("apps/v1, Kind=Deployment: ERROR: <input>:1:")
          .contains(problem);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'apiGroups':['apps'],'apiVersions':['v1'],'resources':['deployments']}"
            + "|apps/v1, Kind=Deployment",
        "{'apiGroups':['apps'],'apiVersions':['v1'],'resources':['deployments']},"
            + "{'apiGroups':[''],'apiVersions':['v1'],'resources':['pods']}"
            + "|/v1, Kind=Pod;apps/v1, Kind=Deployment",
        "{'apiGroups':['apps'],'apiVersions':['v1'],'resources':['*']}|",
        "{'apiGroups':['*'],'apiVersions':['v1'],'resources':['deployments']}|",
        "{'apiGroups':[''],'apiVersions':['v1'],'resources':['pods/*']}|",
        "{'apiGroups':['apps'],'apiVersions':['v1'],'resources':['deployments']},"
            + "{'apiGroups':['apps'],'apiVersions':['*'],'resources':['deployments']}"
            + "|apps/v1, Kind=Deployment",
        "{'apiGroups':['apps','none'],'apiVersions':['v1','v2'],'resources':['deployments','x']}"
            + "|apps/v1, Kind=Deployment",
      })
  void types_areThoseThatRulesName(String rules, String types) {
    List<String> checked =
        warnings(rules, "'validations':[{'expression':'object.nothing == 1'}]").stream()
            .flatMap(warning -> warning.text("warning").lines())
            .filter(line -> line.contains(", Kind="))
            .map(line -> line.substring(0, line.indexOf(": ERROR")))
            .toList();

    assertThat(String.join(";", checked)).isEqualTo(types == null ? "" : types);
  }

  /** The schemas that Kubernetes publishes have no type for these. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "object.spec.template.spec.containers.all(c, has(c.image))|",
        "object.spec.strategy.rollingUpdate.maxSurge == 1|",
        "object.spec.template.spec.containers.all(c, has(c.resources.limits))|limits",
        "object.spec.template.spec.volumes.all(v, has(v.emptyDir.sizeLimit))|sizeLimit",
        "object.metadata.managedFields.all(f, has(f.fieldsV1.x))|x",
        "object.metadata.managedFields.all(f, has(f.fieldsV1))|",
      })
  void whatHasNoType_isUndefined(String expression, String undefined) {
    List<MapNode> warnings =
        warnings(DEPLOYMENTS, "'validations':[{'expression':'" + expression + "'}]");

    if (undefined == null) {
      assertThat(warnings).isEmpty();
    } else {
      assertThat(warnings).hasSize(1);
      assertThat(warnings.getFirst().text("warning"))
          .contains("undefined field '" + undefined + "'");
    }
  }

  @ParameterizedTest
  @CsvSource({"schema.openAPIV3Schema.x, x", "schema.openAPIV3Schema.not.type, type"})
  void typeInItself_hasNoFields(String field, String undefined) {
    String rules =
        "{'apiGroups':['apiextensions.k8s.io'],'apiVersions':['v1'],"
            + "'resources':['customresourcedefinitions']}";

    assertThat(
            warnings(
                rules,
                "'validations':[{'expression':'has(object.spec.versions[0]." + field + ")'}]"))
        .singleElement()
        .satisfies(
            warning ->
                assertThat(warning.text("warning"))
                    .contains("undefined field '" + undefined + "'"));
  }

  @Test
  void policyWithoutRules_isNotChecked() {
    assertThat(
            CHECK.check(AdmissionCalls.tree("{'validations':[{'expression':'object.nothing'}]}")))
        .isEqualTo(MapNode.EMPTY);
  }
}
