package dev.keelson.admission.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.AdmissionCalls;
import dev.keelson.testing.KnownObjects;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class MatchingFilterTest {

  private final KnownObjects objects = new KnownObjects();
  private final List<Integer> evaluations = new ArrayList<>();
  private final ResourceCatalog catalog =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));

  private static ApiObject object(String resource, String metadata) {
    return AdmissionCalls.object("v1", resource, "{'metadata':{" + metadata + "}}");
  }

  private WebhookFilter.Verdict verdict(String fields, AdmissionAttributes call) {
    return verdict("*", fields, call);
  }

  private WebhookFilter.Verdict verdict(String version, String fields, AdmissionAttributes call) {
    WebhookFilter filter =
        new MatchingFilter(
            AdmissionCalls.tree(
                "{'failurePolicy':'Fail','matchPolicy':'Equivalent','rules':[{'apiGroups':['*'],"
                    + "'apiVersions':['"
                    + version
                    + "'],'operations':['*'],'resources':['*']}],"
                    + fields
                    + "}"),
            new MatchingFilter.Context(catalog, objects, AlwaysAuthorizer.ALWAYS_ALLOW));
    WebhookFilter.Target target =
        filter.target(call.operation(), call.definition(), call.subresource()).orElseThrow();
    return filter.select(call, target, (errors, _) -> evaluations.add(errors));
  }

  private static final String SELECTOR = "'namespaceSelector':{'matchLabels':{'a':'b'}}";

  private static AdmissionAttributes pod() {
    return new AdmissionCalls()
        .create("v1", "pods", object("pods", "'name':'p','namespace':'one'"));
  }

  @Test
  void missingNamespace_isNotFound() {
    ApiException missing = catchThrowableOfType(ApiException.class, () -> verdict(SELECTOR, pod()));

    assertThat(missing.reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(missing.text()).isEqualTo("namespaces \"one\" not found");
  }

  @Test
  void missingNamespace_failsNothingThatTheObjectSelectorExcludes() {
    assertThat(verdict(SELECTOR + ",'objectSelector':{'matchLabels':{'x':'y'}}", pod()))
        .isEqualTo(WebhookFilter.Verdict.UNSELECTED);
  }

  @ParameterizedTest
  @CsvSource({"CREATE, CALL", "UPDATE, CALL", "DELETE, UNSELECTED"})
  void namespace_isSelectedByItsNewLabels_exceptWhenItIsDeleted(
      String operation, WebhookFilter.Verdict expected) {
    ApiObject now = object("namespaces", "'name':'one','labels':{'a':'b'}");
    ApiObject before = object("namespaces", "'name':'one'");
    objects.put("v1", "namespaces", before);
    AdmissionCalls calls = new AdmissionCalls();
    AdmissionAttributes call =
        switch (operation) {
          case "CREATE" -> calls.create("v1", "namespaces", now);
          case "UPDATE" -> calls.update("v1", "namespaces", now, before);
          default -> calls.call(Verb.DELETE, "v1", "namespaces", "", null, before);
        };
    AdmissionAttributes named =
        new AdmissionAttributes(
            call.operation(),
            call.definition(),
            "",
            "one",
            "one",
            call.object(),
            call.current(),
            call.request());

    assertThat(verdict(SELECTOR, named)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "request.resource.version == \\\"v2\\\"",
        "request.requestResource.version == \\\"v2\\\"",
        "request.kind.version == \\\"v1\\\"",
        "request.requestKind.version == \\\"v2\\\"",
        "namespaceObject == null",
      })
  void conditions_seeTheResourceOfTheRequest_andTheKindThatIsSent(String condition) {
    String resource = "horizontalpodautoscalers";
    AdmissionAttributes call =
        new AdmissionCalls()
            .create(
                "autoscaling/v2",
                resource,
                AdmissionCalls.object(
                    "autoscaling/v2", resource, "{'metadata':{'name':'a','namespace':'one'}}"));

    assertThat(
            verdict(
                "v1", "'matchConditions':[{'name':'a','expression':'" + condition + "'}]", call))
        .isEqualTo(WebhookFilter.Verdict.CALL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'name':'a','expression':'true'}|CALL|0",
        "{'name':'a','expression':'object.x'},{'name':'b','expression':'false'}|EXCLUDED|1",
        "{'name':'b','expression':'false'},{'name':'a','expression':'object.x'}|EXCLUDED|0",
      })
  void evaluationOfConditions_isMeasuredWithItsErrors(
      String conditions, WebhookFilter.Verdict expected, int errors) {
    assertThat(verdict("'matchConditions':[" + conditions + "]", pod())).isEqualTo(expected);

    assertThat(evaluations).containsExactly(errors);
  }
}
