package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.subresource.Subresources;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Admission webhooks behind real HTTPS servers. */
class AdmissionWebhooksTest extends AdmissionWebhookFixture {

  @Test
  void review_hasEveryField() {
    register("validating", "v", webhook("a.b.c", ""));

    ApiObject unused = createMap("one");

    assertThat(reviews).hasSize(1);
    MapNode review = reviews.getFirst();
    assertThat(review.text("apiVersion")).isEqualTo("admission.k8s.io/v1");
    MapNode request = review.map("request");
    assertThat(request.text("uid")).hasSize(36);
    assertThat(request.map("object").map("metadata").text("uid")).isNotEmpty();
    assertThat(request.without("uid").without("object"))
        .isEqualTo(
            tree(
                """
                {'kind':{'group':'','version':'v1','kind':'ConfigMap'},
                 'resource':{'group':'','version':'v1','resource':'configmaps'},
                 'requestKind':{'group':'','version':'v1','kind':'ConfigMap'},
                 'requestResource':{'group':'','version':'v1','resource':'configmaps'},
                 'name':'one','namespace':'default','operation':'CREATE',
                 'userInfo':{'username':'jane','uid':'7','groups':['devs'],'extra':{'team':['a']}},
                 'oldObject':null,'dryRun':false,
                 'options':{'kind':'CreateOptions','apiVersion':'meta.k8s.io/v1',
                            'fieldManager':'me'}}
                """));
  }

  @Test
  void configuration_worksFromTheNextRequest_untilItIsDeleted() {
    responses = request -> MapNode.of("allowed", Node.Bool.FALSE);
    register("validating", "v", webhook("a.b.c", ""));
    assertThat(refused("one").code()).isEqualTo(400);

    assertThat(
            server
                .registry()
                .delete(
                    collection(
                        "admissionregistration.k8s.io/v1", "validatingwebhookconfigurations", ""),
                    "v",
                    DeleteQuery.UNCONDITIONAL,
                    options(false))
                .gone())
        .isTrue();

    assertThat(createMap("one").meta().name()).isEqualTo("one");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|400||admission webhook \"a.b.c\" denied the request without explanation",
        "{'message':'no'}|400||admission webhook \"a.b.c\" denied the request: no",
        "{'reason':'Forbidden'}|400|Forbidden|admission webhook \"a.b.c\" denied the request:"
            + " Forbidden",
        "{'code':200,'message':'x'}|400||admission webhook \"a.b.c\" denied the request: x",
        "{'code':402,'reason':'Pay','message':'x'}|402|Pay|admission webhook \"a.b.c\" denied the"
            + " request: x",
      })
  void denial_hasTheStatusOfTheWebhook(String status, int code, String reason, String message) {
    responses = request -> MapNode.of("allowed", Node.Bool.FALSE).with("status", tree(status));
    register("validating", "v", webhook("a.b.c", ""));

    ApiException refusal = refused("one");

    assertThat(refusal.text()).isEqualTo(message);
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(refusal.word()).isEqualTo(reason == null ? "" : reason);
  }

  @Test
  void patch_isApplied_andPrunedBySchema() {
    responses =
        request ->
            patching(
                "[{'value':{'z':'y','a':'b'},'path':'/data','op':'add'},"
                    + "{'op':'add','path':'/unknown','value':1}]");
    register("mutating", "m", webhook("a.b.c", ""));

    ApiObject created = createMap("one");

    assertThat(created.root().map("data")).isEqualTo(tree("{'a':'b','z':'y'}"));
    assertThat(created.root().has("unknown")).isFalse();
    assertThat(annotations)
        .containsEntry(
            "mutation.webhook.admission.k8s.io/round_0_index_0",
            "{\"configuration\":\"m\",\"webhook\":\"a.b.c\",\"mutated\":true}")
        // the members of an operation are sorted, its value is as it was sent
        .containsEntry(
            "patch.webhook.admission.k8s.io/round_0_index_0",
            "{\"configuration\":\"m\",\"webhook\":\"a.b.c\",\"patch\":["
                + "{\"op\":\"add\",\"path\":\"/data\",\"value\":{\"z\":\"y\",\"a\":\"b\"}},"
                + "{\"op\":\"add\",\"path\":\"/unknown\",\"value\":1}],"
                + "\"patchType\":\"JSONPatch\"}");
  }

  @Test
  void warningsAndAnnotations_reachTheRequest() {
    responses =
        request ->
            allowed()
                .with("warnings", Node.texts(List.of("careful")))
                .with(
                    "auditAnnotations",
                    MapNode.of("k", Node.text("v"))
                        .with("a/b", Node.text("two slashes"))
                        .with("no key", Node.text("a space")));
    register("validating", "v", webhook("a.b.c", ""));

    ApiObject unused = createMap("one");

    assertThat(warnings).contains("careful");
    assertThat(annotations)
        .containsEntry("a.b.c/k", "v")
        .doesNotContainKeys("a.b.c/a/b", "a.b.c/no key");
  }

  @Test
  void mutatingWebhooks_areCalledInOrder_andReinvokedOnce() {
    List<String> called = new CopyOnWriteArrayList<>();
    responses =
        request -> {
          MapNode data = request.map("object").map("data");
          called.add(Integer.toString(data.size()));
          return data.isEmpty()
              ? patching("[{'op':'add','path':'/data','value':{'a':'b'}}]")
              : data.size() == 1
                  ? patching("[{'op':'add','path':'/data/c','value':'d'}]")
                  : allowed();
        };
    register("mutating", "m2", webhook("second.b.c", ""));
    register("mutating", "m1", webhook("first.b.c", "'reinvocationPolicy':'IfNeeded'"));

    ApiObject created = createMap("one");

    assertThat(called).containsExactly("0", "1", "2");
    assertThat(created.root().map("data")).isEqualTo(tree("{'a':'b','c':'d'}"));
    assertThat(annotations)
        .containsEntry(
            "mutation.webhook.admission.k8s.io/round_1_index_0",
            "{\"configuration\":\"m1\",\"webhook\":\"first.b.c\",\"mutated\":false}");
  }

  @Test
  void validatingWebhooks_areCalledSideBySide_andTheirRefusalsJoined() {
    CountDownLatch both = new CountDownLatch(2);
    responses =
        request -> {
          both.countDown();
          try {
            assertThat(both.await(30, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return MapNode.of("allowed", Node.Bool.FALSE);
        };
    register("validating", "v", webhook("a.b.c", ""), webhook("d.e.f", ""));

    assertThat(refused("one"))
        .hasMessage(
            "[admission webhook \"a.b.c\" denied the request without explanation,"
                + " admission webhook \"d.e.f\" denied the request without explanation]");
  }

  @Test
  void dryRun_meetsWebhooksWithoutSideEffectsOnly() {
    register("validating", "v", webhook("a.b.c", ""));

    ApiObject unused =
        server
            .registry()
            .served(
                server
                    .registry()
                    .create(maps(), object(maps(), "{'metadata':{'name':'one'}}"), options(true)));

    assertThat(reviews.getFirst().map("request").get("dryRun")).isEqualTo(Node.Bool.TRUE);
  }

  @Test
  void webhooksForEverything_canBeRemoved_andSeeSubresourcesAndDeletes() {
    String base = webhook("a.b.c", "");
    String all =
        base.substring(0, base.indexOf("'rules'"))
            + "'rules':[{'apiGroups':['*'],'apiVersions':['*'],'resources':['*/*'],"
            + "'operations':['*']}]}";
    register("validating", "v", all);
    register("mutating", "m", all);
    assertThat(reviews).isEmpty();

    ApiObject unused =
        create(
            collection("apps/v1", "deployments", "default"),
            "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},"
                + "'template':{'metadata':{'labels':{'a':'b'}},"
                + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    Collection deployments = collection("apps/v1", "deployments", "default");
    Subresources actions =
        Subresources.of(server.registry(), codec(), server.catalog(), InstantSource.system());
    ApiObject scale =
        server
            .registry()
            .served(actions.scales().get(deployments, "d"))
            .with("spec", MapNode.of("replicas", new Node.Int(2)));
    reviews.clear();
    assertThat(actions.scales().replace(deployments, "d", scale, options(false))).isNotNull();
    assertThat(reviews).hasSize(2);
    for (MapNode review : reviews) {
      MapNode request = review.map("request");
      assertThat(request.text("subResource")).isEqualTo("scale");
      assertThat(request.map("kind").text("kind")).isEqualTo("Scale");
      assertThat(request.map("resource").text("resource")).isEqualTo("deployments");
      assertThat(request.map("oldObject").text("kind")).isEqualTo("Scale");
    }

    reviews.clear();
    assertThat(
            server
                .registry()
                .delete(deployments, "d", DeleteQuery.UNCONDITIONAL, options(false))
                .gone())
        .isTrue();
    assertThat(reviews).hasSize(2);
    assertThat(reviews.getFirst().map("request").get("object")).isEqualTo(Node.Null.NULL);
    assertThat(reviews.getFirst().map("request").map("options").text("kind"))
        .isEqualTo("DeleteOptions");
  }

  @Test
  void credentials_areThoseOfTheHostAndThePlugin() {
    register("validating", "v", webhook("a.b.c", ""));
    ApiObject first = createMap("one");
    assertThat(first.meta().name()).isEqualTo("one");
    assertThat(shown).isNotEmpty().containsOnly("Bearer secret");

    shown.clear();
    register("mutating", "m", webhook("a.b.c", ""));
    ApiObject second = createMap("two");
    assertThat(second.meta().name()).isEqualTo("two");
    assertThat(shown).contains("null", "Bearer secret");
  }

  @Test
  void configuration_worksOnAnotherServerOfTheStore(@TempDir Path other) throws Exception {
    OpenedResources own =
        OpenedResources.open(
            CustomTypesContract.options(List.of("--data-dir=" + other, "--secure-port=0")),
            InstantSource.system());
    own.store().close();
    ComposedServer second = ComposedServer.of(own.withStore(new Shared(opened.store())), vertx);
    assertThat(second.server().ready(6444, Duration.ZERO)).contains("ready");
    responses = request -> MapNode.of("allowed", Node.Bool.FALSE);
    register("validating", "v", webhook("a.b.c", ""));

    AtomicInteger number = new AtomicInteger();
    Eventually.assertEventually(
        () ->
            assertThat(
                    catchThrowableOfType(
                        ApiException.class,
                        () ->
                            second
                                .registry()
                                .create(
                                    maps(),
                                    object(
                                        maps(),
                                        "{'metadata':{'name':'s"
                                            + number.incrementAndGet()
                                            + "'}}"),
                                    options(false))))
                .hasMessageContaining("denied the request"));
    assertThat(second.server().stop()).isZero();
  }

  /** A store that the second server does not close. */
  private static final class Shared extends ForwardingStore {
    Shared(RevisionedStore store) {
      super(store);
    }

    @Override
    public void close() {
      // the first server closes it
    }
  }

  @Test
  void connections_areReused() {
    register(
        "validating", "v", webhook("a.b.c", "'objectSelector':{'matchLabels':{'hook':'yes'}}"));

    List<String> names = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ApiObject created =
          create(maps(), "{'metadata':{'name':'m" + i + "','labels':{'hook':'yes'}}}");
      names.add(created.meta().name());
    }

    assertThat(names).hasSize(5);
    assertThat(hook.connections()).isEqualTo(1);
  }
}
