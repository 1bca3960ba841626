package dev.keelson.authz.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.AuthorizerMetrics;
import dev.keelson.authz.Decision;
import dev.keelson.authz.Selection;
import dev.keelson.authz.webhook.WebhookAuthorizer.OnFailure;
import dev.keelson.authz.webhook.WebhookAuthorizer.Terms;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.ManualClock;
import dev.keelson.testing.TreeJson;
import dev.keelson.webhook.RetryBackoff;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebhookAuthorizerTest {

  private static final UserInfo ALICE =
      new UserInfo("alice", "7", List.of("devs"), Map.of("team", List.of("a")));
  private static final Attributes PODS =
      new Attributes(
          ALICE,
          "list",
          new Attributes.Resource("", "v1", "pods", "", "ns", "", "", "app in (x,y),!old"));

  private final List<MapNode> asked = new ArrayList<>();
  private final ManualClock clock = new ManualClock();
  private MapNode status = MapNode.of("allowed", Node.Bool.TRUE);
  private boolean down;
  private boolean passing;

  @Test
  void question_isAReviewOfTheVersion() {
    Decision decision = webhook("v1", OnFailure.NO_OPINION).authorize(PODS);

    assertThat(decision.allowed()).isTrue();
    assertThat(asked.getFirst().text("apiVersion")).isEqualTo("authorization.k8s.io/v1");
    assertThat(asked.getFirst().map("spec").toString())
        .contains("groups")
        .contains("labelSelector")
        .contains("DoesNotExist");
    assertThat(asked.getFirst().map("spec").text("user")).isEqualTo("alice");
  }

  /** The requirements of a review keep their order; those of a request are sorted. */
  @Test
  void selectors_areAskedAsRequirements() {
    Decision unused = webhook("v1", OnFailure.NO_OPINION).authorize(selecting("b in (z,y),a"));
    unused =
        webhook("v1", OnFailure.NO_OPINION)
            .authorize(
                selecting(
                    new Selection.Requirements(
                        List.of(
                            new Selection.Requirement("b", "In", List.of("z", "y")),
                            new Selection.Requirement("a", "Exists", List.of())))));

    assertThat(asked)
        .<Node>extracting(
            review -> review.map("spec").map("resourceAttributes").map("labelSelector"))
        .containsExactly(
            TreeJson.read(
                """
                {"requirements":[{"key":"a","operator":"Exists"},
                  {"key":"b","operator":"In","values":["y","z"]}]}
                """
                    .getBytes(StandardCharsets.UTF_8)),
            TreeJson.read(
                """
                {"requirements":[{"key":"b","operator":"In","values":["z","y"]},
                  {"key":"a","operator":"Exists"}]}
                """
                    .getBytes(StandardCharsets.UTF_8)));
  }

  private static Attributes selecting(String labels) {
    return selecting(Selection.of(labels));
  }

  private static Attributes selecting(Selection labels) {
    return new Attributes(
        ALICE,
        "list",
        new Attributes.Resource("", "v1", "pods", "", "ns", "", Selection.NONE, labels));
  }

  @Test
  void olderVersion_namesTheGroupsOtherwise() {
    webhook("v1beta1", OnFailure.NO_OPINION).authorize(PODS);

    assertThat(asked.getFirst().map("spec").has("group")).isTrue();
    assertThat(asked.getFirst().map("spec").has("groups")).isFalse();
  }

  @Test
  void yes_isKeptForItsTime() {
    WebhookAuthorizer webhook = webhook("v1", OnFailure.NO_OPINION);

    webhook.authorize(PODS);
    clock.advance(Duration.ofSeconds(299));
    webhook.authorize(PODS);
    int before = asked.size();
    clock.advance(Duration.ofSeconds(2));
    webhook.authorize(PODS);

    assertThat(before).isEqualTo(1);
    assertThat(asked).hasSize(2);
  }

  @Test
  void no_isKeptForItsTime() {
    status = MapNode.of("allowed", Node.Bool.FALSE).with("reason", Node.text("not today"));
    WebhookAuthorizer webhook = webhook("v1", OnFailure.NO_OPINION);

    Decision decision = webhook.authorize(PODS);
    clock.advance(Duration.ofSeconds(29));
    webhook.authorize(PODS);
    int before = asked.size();
    clock.advance(Duration.ofSeconds(2));
    webhook.authorize(PODS);

    assertThat(decision).isEqualTo(new Decision.NoOpinion("not today", ""));
    assertThat(before).isEqualTo(1);
    assertThat(asked).hasSize(2);
  }

  @Test
  void denied_isFinal() {
    status = MapNode.of("allowed", Node.Bool.FALSE).with("denied", Node.Bool.TRUE);

    assertThat(webhook("v1", OnFailure.NO_OPINION).authorize(PODS))
        .isInstanceOf(Decision.Deny.class);
  }

  @Test
  void bothAllowedAndDenied_isAFailure_thatDeniesWhateverThePolicy() {
    status = status.with("denied", Node.Bool.TRUE).with("reason", Node.text("both"));

    assertThat(webhook("v1", OnFailure.NO_OPINION).authorize(PODS))
        .isEqualTo(
            new Decision.Deny(
                "both", "webhook subject access review returned both allow and deny response"));
  }

  @Test
  void outage_isAnErrorByThePolicy_andNotKept() {
    down = true;
    WebhookAuthorizer webhook = webhook("v1", OnFailure.DENY);

    Decision during = webhook.authorize(PODS);
    down = false;
    Decision after = webhook.authorize(PODS);

    assertThat(during).isEqualTo(new Decision.Deny("", "authorization webhook: down"));
    assertThat(after.allowed()).isTrue();
  }

  @Test
  void question_isAskedAgain_onlyIfTheFailureMayPass() {
    WebhookAuthorizer webhook = webhook("v1", OnFailure.DENY);
    down = true;

    webhook.authorize(PODS);
    int once = asked.size();
    passing = true;
    webhook.authorize(PODS);

    assertThat(once).isEqualTo(1);
    assertThat(asked).hasSize(6);
  }

  private WebhookAuthorizer webhook(String version, OnFailure onFailure) {
    return new WebhookAuthorizer(
        this::answer,
        new Terms(
            version,
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            onFailure,
            MatchConditions.NONE),
        "",
        AuthorizerMetrics.NONE,
        new RetryBackoff(Duration.ofMillis(1), 5),
        clock);
  }

  private MapNode answer(MapNode review) throws IOException {
    asked.add(review);
    if (down) {
      throw passing ? new RetryableException("down", new IOException()) : new IOException("down");
    }
    return review.with("status", status);
  }
}
