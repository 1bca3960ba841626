package dev.keelson.authz.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.UnionAuthorizer;
import dev.keelson.authz.abac.AbacAuthorizer;
import dev.keelson.authz.node.GraphSource;
import dev.keelson.authz.node.NodeAuthorizer;
import dev.keelson.authz.webhook.MatchConditions;
import dev.keelson.authz.webhook.WebhookAuthorizer;
import dev.keelson.authz.webhook.WebhookAuthorizer.OnFailure;
import dev.keelson.authz.webhook.WebhookAuthorizer.Terms;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectSink;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.ManualClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Identity by verb by resource by subresource by namespace by mode, from a file. */
class DecisionTableTest {

  private final RbacAuthorizer roles = new RbacAuthorizer(new FixedRoles(lines("roles.txt")));
  private final Authorizer policies =
      AbacAuthorizer.parse(String.join("\n", lines("policies.jsonl")), DecisionTableTest::json);

  private final Authorizer webhook =
      new WebhookAuthorizer(
          DecisionTableTest::review,
          new Terms(
              "v1",
              Duration.ofMinutes(5),
              Duration.ofSeconds(30),
              OnFailure.NO_OPINION,
              MatchConditions.NONE),
          new ManualClock());
  private final Authorizer nodes =
      new NodeAuthorizer(DecisionTableTest::tell, ofNodes("create,get,update,patch"), false);

  /** As the comment in the table says. */
  private static MapNode review(MapNode review) {
    MapNode spec = review.map("spec");
    MapNode asked = spec.map("resourceAttributes");
    String user = spec.text("user");
    boolean allowed =
        (user.equals("bob")
                && asked.text("namespace").equals("team-b")
                && List.of("get", "list").contains(asked.text("verb")))
            || (user.equals("carol")
                && spec.map("nonResourceAttributes").text("path").equals("/metrics")
                && spec.map("nonResourceAttributes").text("verb").equals("get"));
    boolean denied = user.equals("alice") && asked.text("resource").equals("secrets");
    return MapNode.of(
        "status",
        MapNode.of("allowed", Node.Bool.of(allowed)).with("denied", Node.Bool.of(denied)));
  }

  /** As the comment in the table says. */
  private static void tell(ObjectSink<GraphSource.Kind> sink) {
    sink.put(
        GraphSource.Kind.POD,
        new ApiObject(
            json(
                """
                {"metadata":{"name":"web","namespace":"team-a"},"spec":{"nodeName":"n1",
                "serviceAccountName":"robot","containers":[{"envFrom":[{"configMapRef":
                {"name":"settings"}}]}],"volumes":[{"secret":{"secretName":"mounted"}}]}}\
                """)));
  }

  /** What the role of nodes says of what is not looked up in the graph. */
  private static Predicate<Attributes> ofNodes(String verbs) {
    return DefaultRoles.allowedBy(
        DefaultRoles.parse(List.of("clusterrole node", "  rule " + verbs + " core nodes/status")),
        "node");
  }

  private static MapNode json(String text) {
    return (MapNode) ObjectReader.untypedJson(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void everyRow_isDecidedAsItSays() {
    Map<String, UserInfo> identities = identities();
    List<String> wrong = new ArrayList<>();
    List<String> rows = rows("decisions.txt");

    for (String row : rows) {
      List<String> cells = cells(row);
      UserInfo user = Objects.requireNonNull(identities.get(cells.get(1)), row);
      boolean allowed = chain(cells.get(0)).authorize(asked(user, cells)).allowed();
      if (allowed != Boolean.parseBoolean(cells.get(9))) {
        wrong.add(row);
      }
    }

    assertThat(rows).hasSizeGreaterThan(1_000);
    assertThat(rows).anyMatch(row -> row.endsWith("true")).anyMatch(row -> row.endsWith("false"));
    assertThat(wrong).isEmpty();
  }

  private static Attributes asked(UserInfo user, List<String> cells) {
    Attributes.Target target =
        cells.get(8).isEmpty()
            ? new Attributes.Resource(
                cells.get(3), "v1", cells.get(4), cells.get(5), cells.get(6), cells.get(7), "", "")
            : new Attributes.Path(cells.get(8));
    return new Attributes(user, cells.get(2), target);
  }

  private Authorizer chain(String modes) {
    return new UnionAuthorizer(
        Arrays.stream(modes.split(","))
            .map(
                mode ->
                    switch (mode) {
                      case "RBAC" -> roles;
                      case "ABAC" -> policies;
                      case "Webhook" -> webhook;
                      case "Node" -> nodes;
                      case "AlwaysAllow" -> AlwaysAuthorizer.ALWAYS_ALLOW;
                      default -> AlwaysAuthorizer.ALWAYS_DENY;
                    })
            .toList());
  }

  private static Map<String, UserInfo> identities() {
    Map<String, UserInfo> identities = new HashMap<>();
    for (String row : rows("identities.txt")) {
      List<String> cells = cells(row);
      identities.put(
          cells.get(0), new UserInfo(cells.get(1), "", List.of(cells.get(2).split(",")), Map.of()));
    }
    return identities;
  }

  private static List<String> cells(String row) {
    return Arrays.stream(row.split("\\|", -1)).map(String::strip).toList();
  }

  private static List<String> rows(String name) {
    return lines(name).stream().filter(line -> !line.startsWith("#") && !line.isBlank()).toList();
  }

  static List<String> lines(String name) {
    try (InputStream in = DecisionTableTest.class.getResourceAsStream("/authz/" + name)) {
      return new BufferedReader(
              new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8))
          .lines()
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
