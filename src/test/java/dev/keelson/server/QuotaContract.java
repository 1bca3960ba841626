package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.WriteOptions;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.TreeJson;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Quotas and limits on two servers of one store. */
@Timeout(120)
abstract class QuotaContract {

  private static final GroupVersionResource QUOTAS =
      GroupVersion.CORE_V1.resource("resourcequotas");
  private static final GroupVersionResource LIMITS = GroupVersion.CORE_V1.resource("limitranges");
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  static final GroupVersionResource MAPS = GroupVersion.CORE_V1.resource("configmaps");
  private static final GroupVersionResource CLAIMS =
      GroupVersion.CORE_V1.resource("persistentvolumeclaims");
  private static final GroupVersionResource SERVICES = GroupVersion.CORE_V1.resource("services");
  static final DeleteRequest DELETE = new DeleteRequest("", "", Dependents.BACKGROUND);

  private final Vertx vertx = Vertx.vertx();
  private ComposedServer first;
  private ComposedServer second;

  /** Opens the store for another server. */
  abstract OpenedResources open(Path directory);

  final ComposedServer first() {
    return first;
  }

  final ComposedServer second() {
    return second;
  }

  @BeforeEach
  void start(@TempDir Path directory) {
    first = ComposedServer.of(open(directory.resolve("first")), vertx);
    second = ComposedServer.of(open(directory.resolve("second")), vertx);
    assertThat(first.server().ready(6443, Duration.ZERO)).contains("ready");
    assertThat(second.server().ready(6444, Duration.ZERO)).contains("ready");
    Eventually.assertEventually(
        () ->
            assertThat(
                    first
                        .client()
                        .get(
                            GroupVersion.CORE_V1.resource("serviceaccounts"), "default", "default"))
                .isPresent());
  }

  @AfterEach
  void stop() throws Exception {
    int running = second.server().stop() + first.server().stop();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  private static ApiObject object(String kind, String json) {
    byte[] text = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return new ApiObject((MapNode) TreeJson.read(text)).withType("v1", kind);
  }

  static ApiObject map(String name) {
    return object("ConfigMap", "{'metadata':{'name':'" + name + "'}}");
  }

  private static ApiObject pod(String name, String more) {
    return object(
        "Pod",
        "{'metadata':{'name':'"
            + name
            + "'},'spec':{'containers':[{'name':'c','image':'i'"
            + more
            + "}]}}");
  }

  /** Creates a quota and waits until it is enforced. */
  final void quota(String name, String spec) {
    ApiObject made =
        first
            .client()
            .create(
                QUOTAS,
                "default",
                object(
                    "ResourceQuota", "{'metadata':{'name':'" + name + "'},'spec':" + spec + "}"));
    MapNode hard = made.root().map("spec").map("hard");
    Eventually.assertEventually(
        () -> {
          MapNode status = status(name);
          assertThat(status.map("hard")).isEqualTo(hard);
          assertThat(status.map("used").keys()).containsExactlyInAnyOrderElementsOf(hard.keys());
        });
  }

  final MapNode status(String name) {
    return first.client().get(QUOTAS, "default", name).orElseThrow().root().map("status");
  }

  final void awaitUsed(String quota, String resource, String amount) {
    Eventually.assertEventually(
        () -> assertThat(status(quota).map("used").text(resource)).isEqualTo(amount));
  }

  @Test
  void creates_shareTheUnitsOfAQuotaExactly() throws Exception {
    int most = 25;
    quota("q", "{'hard':{'configmaps':'" + (most + 1) + "'}}");
    // kube-root-ca.crt is one of them
    awaitUsed("q", "configmaps", "1");

    AtomicInteger accepted = new AtomicInteger();
    List<String> refusals = new ArrayList<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        String name = "m" + i;
        ComposedServer server = i % 2 == 0 ? first : second;
        all.add(
            clients.submit(
                () -> {
                  try {
                    ApiObject made = server.client().create(MAPS, "default", map(name));
                    assertThat(made.meta().name()).isEqualTo(name);
                    accepted.incrementAndGet();
                  } catch (ApiException e) {
                    synchronized (refusals) {
                      refusals.add(e.text());
                    }
                  }
                }));
      }
      for (Future<?> each : all) {
        Object unused = each.get();
      }
    }

    assertThat(accepted).hasValue(most);
    assertThat(first.client().count(MAPS, "default")).isEqualTo(most + 1);
    assertThat(status("q").map("used").text("configmaps")).isEqualTo("26");
    assertThat(refusals)
        .hasSize(300 - most)
        .allSatisfy(
            text ->
                assertThat(text)
                    .contains(
                        "is forbidden: exceeded quota: q, requested: configmaps=1, used:"
                            + " configmaps=26, limited: configmaps=26"));
  }

  @Test
  void usage_isGivenBackWhenAnObjectGoes() {
    quota("q", "{'hard':{'count/services':'1','services':'1'}}");
    ApiObject service =
        object("Service", "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}]}}");
    // the service kubernetes is in this namespace
    awaitUsed("q", "services", "1");
    assertThatThrownBy(() -> first.client().create(SERVICES, "default", service))
        .hasMessage(
            "services \"s\" is forbidden: exceeded quota: q, requested:"
                + " count/services=1,services=1, used: count/services=1,services=1, limited:"
                + " count/services=1,services=1");

    first
        .client()
        .change(
            QUOTAS,
            "default",
            "q",
            quota ->
                quota.with(
                    "spec",
                    quota
                        .root()
                        .map("spec")
                        .withAt(
                            List.of("hard"),
                            object("x", "{'services':'2'}")
                                .root()
                                .without("kind")
                                .without("apiVersion"))));
    awaitUsed("q", "count/services", "");
    assertThat(first.client().create(SERVICES, "default", service).meta().name()).isEqualTo("s");
    assertThat(status("q").map("used").text("services")).isEqualTo("2");
    second.client().delete(SERVICES, "default", "s", DELETE);
    awaitUsed("q", "services", "1");
  }

  @Test
  void pods_areChargedUntilTheyEnd() {
    quota("q", "{'hard':{'pods':'1','requests.cpu':'1','count/pods':'5'}}");
    assertThatThrownBy(() -> first.client().create(PODS, "default", pod("none", "")))
        .hasMessage(
            "pods \"none\" is forbidden: failed quota: q: must specify requests.cpu for: c");
    String cpu = ",'resources':{'requests':{'cpu':'600m'}}";
    ApiObject made = first.client().create(PODS, "default", pod("one", cpu));
    assertThat(made.meta().name()).isEqualTo("one");
    assertThat(status("q").map("used").texts())
        .containsEntry("pods", "1")
        .containsEntry("requests.cpu", "600m")
        .containsEntry("count/pods", "1");
    assertThatThrownBy(() -> second.client().create(PODS, "default", pod("two", cpu)))
        .hasMessage(
            "pods \"two\" is forbidden: exceeded quota: q, requested: pods=1,requests.cpu=600m,"
                + " used: pods=1,requests.cpu=600m, limited: pods=1,requests.cpu=1");

    assertThat(
            second
                .client()
                .changeStatus(
                    PODS,
                    "default",
                    "one",
                    pod ->
                        pod.with(
                            "status",
                            pod.root()
                                .map("status")
                                .with("phase", dev.keelson.object.Node.text("Succeeded")))))
        .isPresent();
    awaitUsed("q", "pods", "0");
    assertThat(status("q").map("used").texts())
        .containsEntry("requests.cpu", "0")
        .containsEntry("count/pods", "1");
    assertThat(second.client().create(PODS, "default", pod("two", cpu)).meta().name())
        .isEqualTo("two");
  }

  /** The node's answer to a resize lowers the usage, not the request. */
  @Test
  void pods_giveBackWhatAResizeFrees() {
    quota("q", "{'hard':{'requests.cpu':'5'}}");
    String cpu = ",'resources':{'requests':{'cpu':'1'}}";
    assertThat(first.client().create(PODS, "default", pod("one", cpu)).meta().name())
        .isEqualTo("one");
    allocate("3");
    awaitUsed("q", "requests.cpu", "3");

    allocate("2");

    awaitUsed("q", "requests.cpu", "2");
  }

  private void allocate(String cpu) {
    MapNode known =
        object(
                "x",
                "{'status':{'phase':'Running','containerStatuses':[{'name':'c','image':'i',"
                    + "'imageID':'i','ready':true,'restartCount':0,'resources':{'requests':{'cpu':'"
                    + cpu
                    + "'}}}]}}")
            .root()
            .map("status");
    assertThat(
            second.client().changeStatus(PODS, "default", "one", pod -> pod.with("status", known)))
        .isPresent();
  }

  /** A claim counts with every class that it has or shall have. */
  @Test
  void claims_moveBetweenTheQuotasOfTheirClasses() {
    for (String name : List.of("gold", "silver")) {
      quota(
          name,
          "{'hard':{'requests.storage':'5Gi','persistentvolumeclaims':'1'},'scopeSelector':"
              + "{'matchExpressions':[{'scopeName':'VolumeAttributesClass','operator':'In',"
              + "'values':['"
              + name
              + "']}]}}");
    }
    String claim =
        "{'metadata':{'name':'%s'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'s',"
            + "'volumeAttributesClassName':'gold','resources':{'requests':{'storage':'1Gi'}}}}";
    ApiObject made =
        first
            .client()
            .create(CLAIMS, "default", object("PersistentVolumeClaim", claim.formatted("c")));
    assertThat(made.meta().name()).isEqualTo("c");
    assertThat(status("gold").map("used").texts())
        .containsEntry("requests.storage", "1Gi")
        .containsEntry("persistentvolumeclaims", "1");
    assertThatThrownBy(
            () ->
                second
                    .client()
                    .create(
                        CLAIMS, "default", object("PersistentVolumeClaim", claim.formatted("d"))))
        .hasMessageContaining("exceeded quota: gold, requested: persistentvolumeclaims=1");

    claimStatus("gold");
    assertThat(
            second
                .client()
                .change(
                    CLAIMS,
                    "default",
                    "c",
                    now ->
                        now.with(
                            "spec",
                            now.root()
                                .map("spec")
                                .with(
                                    "volumeAttributesClassName",
                                    dev.keelson.object.Node.text("silver")))))
        .isPresent();
    awaitUsed("silver", "persistentvolumeclaims", "1");
    awaitUsed("silver", "requests.storage", "1Gi");
    awaitUsed("gold", "persistentvolumeclaims", "1");

    claimStatus("silver");
    awaitUsed("gold", "persistentvolumeclaims", "0");
    awaitUsed("gold", "requests.storage", "0");
    awaitUsed("silver", "persistentvolumeclaims", "1");
  }

  private void claimStatus(String attributesClass) {
    MapNode next =
        object(
                "x",
                "{'status':{'phase':'Bound','currentVolumeAttributesClassName':'"
                    + attributesClass
                    + "'}}")
            .root()
            .map("status");
    assertThat(first.client().changeStatus(CLAIMS, "default", "c", now -> now.with("status", next)))
        .isPresent();
  }

  @Test
  void chargeOfAFailedCreate_isTakenBack() {
    quota("q", "{'hard':{'configmaps':'5'}}");
    assertThat(first.client().create(MAPS, "default", map("a")).meta().name()).isEqualTo("a");
    // charged, although the name is taken
    assertThatThrownBy(() -> first.client().create(MAPS, "default", map("a")))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.ALREADY_EXISTS));

    awaitUsed("q", "configmaps", "2");
  }

  @Test
  void statusThatAClientOverwrites_isRestored() {
    quota("q", "{'hard':{'configmaps':'5'}}");
    MapNode wrong = object("x", "{'hard':{'configmaps':'7'}}").root().map("hard");

    assertThat(
            first
                .client()
                .changeStatus(
                    QUOTAS,
                    "default",
                    "q",
                    quota -> quota.with("status", MapNode.of("hard", wrong))))
        .isPresent();

    awaitUsed("q", "configmaps", "1");
    assertThat(status("q").map("hard").text("configmaps")).isEqualTo("5");
  }

  @Test
  void dryRun_isCheckedAndNotCharged() {
    quota("q", "{'hard':{'count/configmaps':'2'}}");
    Collection maps =
        new Collection(first.catalog().snapshot().find(MAPS).orElseThrow(), "default");

    assertThat(
            first.registry().create(maps, map("dry"), WriteOptions.PERSIST.asDryRun()).revision())
        .isZero();
    assertThat(status("q").map("used").text("count/configmaps")).isEqualTo("1");
    assertThat(first.client().create(MAPS, "default", map("a")).meta().name()).isEqualTo("a");
    assertThatThrownBy(
            () -> first.registry().create(maps, map("b"), WriteOptions.PERSIST.asDryRun()))
        .hasMessageContaining("exceeded quota: q");
  }

  @Test
  void customObjects_areCountedOnceTheirTypeIsServed() {
    ApiObject made =
        first
            .client()
            .create(
                QUOTAS,
                "default",
                object(
                    "ResourceQuota",
                    "{'metadata':{'name':'q'},'spec':{'hard':{'count/quoted.example.com':'1'}}}"));
    assertThat(made.meta().name()).isEqualTo("q");
    MapNode tree =
        CustomTypes.tree(
            CustomTypes.definition(
                "example.com",
                "quoted",
                "Quoted",
                "Namespaced",
                "'schema':{'openAPIV3Schema':{'type':'object'}}"));
    ApiObject definition =
        new ApiObject(tree.with("metadata", tree.map("metadata").without("uid")))
            .withType("apiextensions.k8s.io/v1", "CustomResourceDefinition");
    ApiObject defined =
        first
            .client()
            .create(
                new GroupVersion("apiextensions.k8s.io", "v1")
                    .resource("customresourcedefinitions"),
                "",
                definition);
    assertThat(defined.meta().name()).isEqualTo("quoted.example.com");
    awaitUsed("q", "count/quoted.example.com", "0");

    GroupVersionResource quoted = new GroupVersion("example.com", "v1").resource("quoted");
    ApiObject object =
        object("Quoted", "{'metadata':{'name':'a'}}").withType("example.com/v1", "Quoted");
    Eventually.assertEventually(
        () -> assertThat(first.catalog().current().find(quoted)).isPresent());
    assertThat(first.client().create(quoted, "default", object).meta().name()).isEqualTo("a");
    assertThatThrownBy(
            () ->
                first
                    .client()
                    .create(
                        quoted,
                        "default",
                        object("Quoted", "{'metadata':{'name':'b'}}")
                            .withType("example.com/v1", "Quoted")))
        .hasMessageContaining("exceeded quota: q, requested: count/quoted.example.com=1");
    first.client().delete(quoted, "default", "a", DELETE);
    awaitUsed("q", "count/quoted.example.com", "0");
  }

  @Test
  void limitRange_isInForceWithTheNextRequest() {
    ApiObject made =
        first
            .client()
            .create(
                LIMITS,
                "default",
                object(
                    "LimitRange",
                    "{'metadata':{'name':'l'},'spec':{'limits':[{'type':'Container',"
                        + "'default':{'cpu':'500m'},'defaultRequest':{'cpu':'100m'},"
                        + "'max':{'cpu':'1'}}]}}"));
    assertThat(made.meta().name()).isEqualTo("l");

    ApiObject pod = first.client().create(PODS, "default", pod("p", ""));
    assertThat(pod.meta().annotations())
        .containsEntry(
            "kubernetes.io/limit-ranger",
            "LimitRanger plugin set: cpu request for container c; cpu limit for container c");
    assertThat(
            pod.root()
                .map("spec")
                .maps("containers")
                .getFirst()
                .map("resources")
                .map("limits")
                .text("cpu"))
        .isEqualTo("500m");
    assertThatThrownBy(
            () ->
                first
                    .client()
                    .create(PODS, "default", pod("big", ",'resources':{'limits':{'cpu':'2'}}")))
        .hasMessage(
            "pods \"big\" is forbidden: maximum cpu usage per Container is 1, but limit is 2");
  }
}
