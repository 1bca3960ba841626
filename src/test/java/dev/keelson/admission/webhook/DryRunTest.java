package dev.keelson.admission.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.AdmissionCalls;
import dev.keelson.testing.KnownObjects;
import dev.keelson.webhook.Credentials;
import dev.keelson.webhook.WebhookClient;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Webhooks with side effects, which a configuration of v1beta1 could name, are not called for dry
 * runs.
 */
@Timeout(60)
class DryRunTest {

  private final ResourceCatalog catalog =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));

  private int called;

  private WebhookClient client() {
    called++;
    throw new IllegalStateException("called");
  }

  private Admission plugin(Step step, String sideEffects, String failurePolicy) {
    MapNode configuration =
        AdmissionCalls.tree(
            "{'webhooks':[{'name':'a.b.c','sideEffects':'"
                + sideEffects
                + "','failurePolicy':'"
                + failurePolicy
                + "','admissionReviewVersions':['v1'],'clientConfig':{'url':'https://h'},"
                + "'rules':[{'apiGroups':['*'],'apiVersions':['*'],'operations':['*'],"
                + "'resources':['*']}]}]}");
    MatchingFilter.Context context =
        new MatchingFilter.Context(catalog, new KnownObjects(), AlwaysAuthorizer.ALWAYS_ALLOW);
    List<Webhook> hooks = Webhook.of("m", configuration, hook -> new MatchingFilter(hook, context));
    WebhookCaller caller = new WebhookCaller(this::client, Credentials.NONE, UUID::randomUUID);
    return step == Step.MUTATING
        ? new MutatingWebhooks(asked -> hooks, caller, catalog, WebhookMetrics.NONE)
        : new ValidatingWebhooks(asked -> hooks, caller, catalog, WebhookMetrics.NONE);
  }

  private static AdmissionAttributes create(boolean dryRun) {
    ApiObject pod = AdmissionCalls.object("v1", "pods", "{'metadata':{'name':'p'}}");
    AdmissionCalls calls = new AdmissionCalls();
    return (dryRun ? calls.dryRun() : calls).create("v1", "pods", pod);
  }

  private static void admit(Admission plugin, Step step, AdmissionAttributes call) {
    if (step == Step.MUTATING) {
      ApiObject unused = plugin.mutate(call, Objects.requireNonNull(call.object()));
    } else {
      plugin.validate(call);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MUTATING, Some, Fail",
    "MUTATING, Unknown, Ignore",
    "VALIDATING, Some, Ignore",
    "VALIDATING, Unknown, Fail"
  })
  void webhookWithSideEffects_isNotCalled_andTheRequestFails(
      Step step, String sideEffects, String failurePolicy) {
    Admission plugin = plugin(step, sideEffects, failurePolicy);

    ApiException refused =
        catchThrowableOfType(ApiException.class, () -> admit(plugin, step, create(true)));

    assertThat(refused.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(refused.text()).isEqualTo("admission webhook \"a.b.c\" does not support dry run");
    assertThat(called).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "MUTATING, Some, false",
    "MUTATING, None, true",
    "VALIDATING, NoneOnDryRun, true",
    "VALIDATING, Unknown, false"
  })
  void otherWebhooks_areCalled(Step step, String sideEffects, boolean dryRun) {
    Admission plugin = plugin(step, sideEffects, "Fail");

    Exception failed =
        catchThrowableOfType(Exception.class, () -> admit(plugin, step, create(dryRun)));

    assertThat(failed).hasMessageContaining("called");
    assertThat(called).isEqualTo(1);
  }
}
