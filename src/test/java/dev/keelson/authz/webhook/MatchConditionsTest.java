package dev.keelson.authz.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Decision;
import dev.keelson.authz.webhook.WebhookAuthorizer.OnFailure;
import dev.keelson.authz.webhook.WebhookAuthorizer.Terms;
import dev.keelson.cel.Environment;
import dev.keelson.cel.ValueType.Simple;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Expected answers: derived by hand from Kubernetes' match conditions of authorization webhooks,
 * not captured from a server.
 */
@Timeout(120)
class MatchConditionsTest {

  private static final Environment ENVIRONMENT = MatchConditions.environment();
  private static final UserInfo ANN =
      new UserInfo("ann", "7", List.of("dev", "ops"), Map.of("example.org/team", List.of("a")));
  private static final Map<String, Attributes> QUESTIONS =
      Map.of(
          "pods",
              new Attributes(
                  ANN,
                  "list",
                  new Attributes.Resource(
                      "", "v1", "pods", "", "ns", "", "spec.nodeName=n1", "app in (x,y),!old")),
          "scale",
              new Attributes(
                  new UserInfo("bob", "", List.of(), Map.of()),
                  "update",
                  new Attributes.Resource("apps", "v1", "deployments", "scale", "x", "d", "", "")),
          "path", new Attributes(ANN, "get", new Attributes.Path("/metrics")));

  private int asked;

  /** What holds for which of the questions; the others are not asked. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "has(request.resourceAttributes); pods scale",
        "has(request.nonResourceAttributes); path",
        "!has(request.resourceAttributes) || request.resourceAttributes.namespace != 'ns'; scale"
            + " path",
        "request.user == 'ann'; pods path",
        "request.uid == ''; scale",
        "request.groups.exists(g, g == 'ops'); pods path",
        "!('dev' in request.groups); scale",
        "'example.org/team' in request.extra && 'a' in request.extra['example.org/team']; pods"
            + " path",
        "has(request.resourceAttributes) && request.resourceAttributes.verb == 'list'; pods",
        "has(request.resourceAttributes) && request.resourceAttributes.group == ''; pods",
        "has(request.resourceAttributes) && request.resourceAttributes.name == ''; pods",
        "has(request.resourceAttributes) && request.resourceAttributes.subresource == 'scale';"
            + " scale",
        "has(request.resourceAttributes) && request.resourceAttributes.resource in ['deployments'];"
            + " scale",
        "has(request.nonResourceAttributes) && request.nonResourceAttributes.path.startsWith('/m')"
            + " && request.nonResourceAttributes.verb == 'get'; path",
        "has(request.resourceAttributes) && has(request.resourceAttributes.fieldSelector); pods",
        "has(request.resourceAttributes) && has(request.resourceAttributes.fieldSelector) &&"
            + " request.resourceAttributes.fieldSelector.requirements.exists(r, r.key =="
            + " 'spec.nodeName' && r.operator == 'In' && r.values == ['n1']); pods",
        "has(request.resourceAttributes) && has(request.resourceAttributes.labelSelector) &&"
            + " request.resourceAttributes.labelSelector.requirements.exists(r, r.operator =="
            + " 'DoesNotExist' && r.values.size() == 0); pods",
        "request.?resourceAttributes.?name.orValue('none') == 'none'; path",
        "request.user.matches('^a.*n$'); pods path",
        "true; pods scale path"
      })
  void condition_choosesTheQuestions(String condition, String which) {
    WebhookAuthorizer webhook = webhook(OnFailure.DENY, condition);

    QUESTIONS.forEach(
        (name, question) -> {
          int before = asked;
          Decision decision = webhook.authorize(question);
          boolean expected = List.of(which.split(" ")).contains(name);
          assertThat(asked > before).as(name).isEqualTo(expected);
          assertThat(decision)
              .as(name)
              .isEqualTo(expected ? Decision.Allow.PLAIN : Decision.NoOpinion.PLAIN);
        });
  }

  @Test
  void error_isDecidedByThePolicy_unlessAnotherConditionDoesNotHold() {
    String error = "request.extra['none'][0] == 'x'";
    Attributes question = Objects.requireNonNull(QUESTIONS.get("pods"));

    assertThat(webhook(OnFailure.DENY, error, "true").authorize(question))
        .isInstanceOfSatisfying(
            Decision.Deny.class,
            deny ->
                assertThat(deny.error())
                    .startsWith("cel evaluation error: expression '" + error + "'"));
    assertThat(webhook(OnFailure.NO_OPINION, error).authorize(question))
        .isInstanceOfSatisfying(
            Decision.NoOpinion.class, none -> assertThat(none.error()).contains(error));
    String other = "request.extra['none'][0] == 'y'";
    assertThat(webhook(OnFailure.DENY, error, other).authorize(question))
        .isInstanceOfSatisfying(
            Decision.Deny.class,
            deny ->
                assertThat(deny.error())
                    .startsWith("[cel evaluation error: expression '" + error + "'")
                    .contains(", cel evaluation error: expression '" + other + "'")
                    .endsWith("]"));
    assertThat(webhook(OnFailure.DENY, error, "false").authorize(question))
        .isEqualTo(Decision.NoOpinion.PLAIN);
    assertThat(webhook(OnFailure.DENY, "false", error).authorize(question))
        .isEqualTo(Decision.NoOpinion.PLAIN);
    assertThat(asked).isZero();
  }

  private WebhookAuthorizer webhook(OnFailure onFailure, String... conditions) {
    return new WebhookAuthorizer(
        review -> {
          asked++;
          return MapNode.of("status", MapNode.of("allowed", Node.Bool.TRUE));
        },
        new Terms(
            "v1beta1",
            Duration.ZERO,
            Duration.ZERO,
            onFailure,
            new MatchConditions(
                Stream.of(conditions)
                    .map(text -> ENVIRONMENT.compile(text, Simple.BOOL))
                    .toList())),
        new ManualClock());
  }
}
