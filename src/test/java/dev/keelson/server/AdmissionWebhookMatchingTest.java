package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.subresource.Subresources;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which requests go to admission webhooks, and in which version. */
class AdmissionWebhookMatchingTest extends AdmissionWebhookFixture {

  @Test
  void selectorsAndConditions_select() {
    register(
        "validating",
        "v",
        webhook("a.b.c", "'objectSelector':{'matchLabels':{'hook':'yes'}}"),
        webhook(
            "d.e.f", "'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'other'}}"),
        webhook(
            "g.h.i",
            "'matchConditions':[{'name':'two','expression':'object.metadata.name == \\'two\\''}]"
                .replace("\\'", "\\u0027")));

    ApiObject unused = createMap("one");
    assertThat(reviews).isEmpty();

    ApiObject labelled = create(maps(), "{'metadata':{'name':'two','labels':{'hook':'yes'}}}");
    assertThat(labelled.meta().name()).isEqualTo("two");
    assertThat(reviews).hasSize(2);
  }

  @Test
  void equivalentMatch_convertsToTheVersionOfTheRule() {
    String rule =
        "'rules':[{'apiGroups':['autoscaling'],'apiVersions':['v1'],"
            + "'resources':['horizontalpodautoscalers'],'operations':['*']}]";
    String base = webhook("a.b.c", "");
    String equivalent =
        base.substring(0, base.indexOf("'rules'")) + "'matchPolicy':'Equivalent'," + rule + "}";
    String exact =
        base.substring(0, base.indexOf("'rules'")).replace("a.b.c", "d.e.f")
            + "'matchPolicy':'Exact',"
            + rule
            + "}";
    register("mutating", "m", equivalent, exact);
    responses =
        request ->
            patching("[{'op':'add','path':'/spec/targetCPUUtilizationPercentage','value':42}]");

    ApiObject created =
        create(
            collection("autoscaling/v2", "horizontalpodautoscalers", "default"),
            "{'metadata':{'name':'h'},'spec':{'maxReplicas':3,"
                + "'scaleTargetRef':{'kind':'Deployment','name':'d','apiVersion':'apps/v1'}}}");

    assertThat(reviews).hasSize(1);
    MapNode request = reviews.getFirst().map("request");
    assertThat(request.map("kind").text("version")).isEqualTo("v1");
    assertThat(request.map("requestKind").text("version")).isEqualTo("v2");
    assertThat(request.map("object").text("apiVersion")).isEqualTo("autoscaling/v1");
    assertThat(
            created
                .root()
                .map("spec")
                .maps("metrics")
                .getFirst()
                .map("resource")
                .map("target")
                .get("averageUtilization"))
        .isEqualTo(new Node.Int(42));
  }

  private static final String BROKEN = "{'name':'broken','expression':'object.missing == 1'}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'name':'a','expression':'true'}|1",
        "{'name':'a','expression':'true'},{'name':'b','expression':'false'}|0",
        BROKEN + ",{'name':'b','expression':'false'}|0",
        "{'name':'a','expression':'oldObject == null'}|1",
        // the namespace is known to policies alone
        "{'name':'a','expression':'namespaceObject == null'}|1",
        "{'name':'a','expression':'request.namespace.size() == 7 && !request.dryRun'}|1",
      })
  void matchConditions_decideTogether(String conditions, int calls) {
    register("validating", "v", webhook("a.b.c", "'matchConditions':[" + conditions + "]"));

    ApiObject unused = createMap("one");

    assertThat(reviews).hasSize(calls);
  }

  @Test
  void matchConditionThatFails_followsTheFailurePolicy() {
    register(
        "validating",
        "ignores",
        webhook("a.b.c", "'failurePolicy':'Ignore','matchConditions':[" + BROKEN + "]"));
    assertThat(createMap("one").meta().name()).isEqualTo("one");

    register("validating", "fails", webhook("d.e.f", "'matchConditions':[" + BROKEN + "]"));
    ApiException refusal = refused("two");

    assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal.text())
        .isEqualTo(
            "configmaps \"two\" is forbidden: expression 'object.missing == 1' resulted in error:"
                + " no such key: missing");
    assertThat(reviews).isEmpty();
  }

  @Test
  void matchCondition_isEvaluatedInTheSecondPass_alsoOfWebhooksThatAreNotReinvoked() {
    register(
        "mutating",
        "m1",
        webhook(
            "first.b.c",
            "'matchConditions':[{'name':'a','expression':'!has(object.data) || object.missing'}]"));
    register("mutating", "m2", webhook("second.b.c", ""));
    responses =
        request ->
            request.map("object").has("data")
                ? allowed()
                : reviews.size() == 1
                    ? allowed()
                    : patching("[{'op':'add','path':'/data','value':{'a':'b'}}]");

    assertThat(refused("one").reason()).isEqualTo(Reason.FORBIDDEN);
    assertThat(reviews).hasSize(2);
  }

  @Test
  void webhookThatMatchesInTheSecondPassOnly_isNotCalled() {
    register(
        "mutating",
        "m1",
        webhook(
            "first.b.c",
            "'reinvocationPolicy':'IfNeeded','objectSelector':{'matchLabels':{'a':'b'}}"));
    register("mutating", "m2", webhook("second.b.c", ""));
    responses = request -> patching("[{'op':'add','path':'/metadata/labels','value':{'a':'b'}}]");

    assertThat(createMap("one").meta().labels()).containsEntry("a", "b");
    assertThat(reviews).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"v1,events.k8s.io", "events.k8s.io/v1,''"})
  void equivalentMatch_crossesGroups(String asked, String group) {
    String base = webhook("a.b.c", "");
    register(
        "validating",
        "v",
        base.substring(0, base.indexOf("'rules'"))
            + "'rules':[{'apiGroups':['"
            + group
            + "'],'apiVersions':['v1'],'resources':['events'],'operations':['*']}]}");

    ApiObject unused =
        create(
            collection(asked, "events", "default"),
            asked.equals("v1")
                ? "{'metadata':{'name':'e'},'involvedObject':{'namespace':'default'},"
                    + "'message':'said','type':'Normal'}"
                : "{'metadata':{'name':'e'},'regarding':{'namespace':'default'},'note':'said',"
                    + "'type':'Normal','reason':'r','action':'a','reportingController':'c/d',"
                    + "'reportingInstance':'i','eventTime':'2026-01-01T00:00:00.000000Z'}");

    assertThat(reviews).hasSize(1);
    MapNode request = reviews.getFirst().map("request");
    assertThat(request.map("resource").text("group")).isEqualTo(group);
    assertThat(request.map("kind").text("group")).isEqualTo(group);
    assertThat(request.map("requestKind").text("group"))
        .isEqualTo(asked.equals("v1") ? "" : "events.k8s.io");
    assertThat(request.map("object").text(group.isEmpty() ? "message" : "note")).isEqualTo("said");
  }

  @ParameterizedTest
  @CsvSource({"apps/v1,extensions,v1beta1", "extensions/v1beta1,apps,v1"})
  void equivalentMatch_convertsAScale(String asked, String group, String version) {
    Collection deployments = collection(asked, "deployments", "default");
    ApiObject unused =
        create(
            collection("apps/v1", "deployments", "default"),
            "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},"
                + "'template':{'metadata':{'labels':{'a':'b'}},"
                + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    String base = webhook("a.b.c", "");
    register(
        "mutating",
        "m",
        base.substring(0, base.indexOf("'rules'"))
            + "'rules':[{'apiGroups':['"
            + group
            + "'],'apiVersions':['*'],'resources':['deployments/scale'],'operations':['*']}]}");
    responses = request -> patching("[{'op':'replace','path':'/spec/replicas','value':5}]");
    Subresources actions =
        Subresources.of(server.registry(), codec(), server.catalog(), InstantSource.system());
    ApiObject scale = server.registry().served(actions.scales().get(deployments, "d"));

    ApiObject written =
        server
            .registry()
            .served(
                actions
                    .scales()
                    .replace(
                        deployments,
                        "d",
                        scale.with("spec", MapNode.of("replicas", new Node.Int(2))),
                        options(false)));

    assertThat(written.root().map("spec").get("replicas")).isEqualTo(new Node.Int(5));
    MapNode request = reviews.getFirst().map("request");
    assertThat(request.map("resource").text("group")).isEqualTo(group);
    assertThat(request.map("kind").text("kind")).isEqualTo("Scale");
    assertThat(request.map("kind").text("group"))
        .isEqualTo(group.equals("apps") ? "autoscaling" : "extensions");
    MapNode status = request.map("oldObject").map("status");
    assertThat(status.get("selector"))
        .isEqualTo(group.equals("apps") ? Node.text("a=b") : MapNode.of("a", Node.text("b")));
    assertThat(status.text("targetSelector")).isEqualTo(group.equals("apps") ? "" : "a=b");
  }
}
