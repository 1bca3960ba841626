package dev.keelson.admission.quota;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.quota.DeviceClasses;
import dev.keelson.quota.Evaluators;
import dev.keelson.quota.Quota;
import dev.keelson.testing.AdmissionCalls;
import dev.keelson.testing.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class QuotaAdmissionTest {

  private final AdmissionCalls calls = new AdmissionCalls();
  private final Store store = new Store();

  /** The quotas of one namespace, with a cache that may lag behind. */
  private static final class Store implements QuotaAccess {
    private final NavigableMap<String, Quota> stored = new TreeMap<>();
    private final AtomicInteger writes = new AtomicInteger();
    private List<Quota> cache = List.of();
    private boolean lagging;
    private CountDownLatch open = new CountDownLatch(0);

    synchronized void put(String name, String spec, String status) {
      ApiObject object =
          AdmissionCalls.object(
              "v1",
              "resourcequotas",
              "{'metadata':{'name':'"
                  + name
                  + "','namespace':'n','uid':'"
                  + name
                  + "'},'spec':"
                  + spec
                  + ",'status':"
                  + status
                  + "}");
      stored.put(name, Quota.of(object, 1));
      cache = List.copyOf(stored.values());
    }

    synchronized void lag() {
      lagging = true;
    }

    synchronized String used(String name) {
      return String.valueOf(requireNonNull(stored.get(name)).used());
    }

    @Override
    public synchronized List<Quota> cached(String namespace) {
      return cache;
    }

    @Override
    public synchronized List<Quota> newest(String namespace) {
      return List.copyOf(stored.values());
    }

    @Override
    public Charge charge(Quota quota) {
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return chargeNow(quota);
    }

    private synchronized Charge chargeNow(Quota quota) {
      int unused = writes.incrementAndGet();
      Quota known = stored.get(quota.name());
      if (known == null) {
        return new Charge.Gone();
      }
      if (known.revision() != quota.revision()) {
        return new Charge.Changed(known);
      }
      Quota next =
          new Quota(
              known.namespace(),
              known.name(),
              known.uid(),
              known.revision() + 1,
              known.requirements(),
              known.wanted(),
              known.hard(),
              quota.used());
      stored.put(quota.name(), next);
      if (!lagging) {
        cache = List.copyOf(stored.values());
      }
      return new Charge.Stored(1);
    }
  }

  private QuotaAdmission admission(LimitedResource... limited) {
    return new QuotaAdmission(
        store,
        new KnownFences(),
        new Evaluators(DeviceClasses.NONE, new ManualClock()),
        List.of(limited),
        Duration.ofSeconds(20));
  }

  private static ApiObject pod(String name, String spec) {
    return AdmissionCalls.object(
        "v1", "pods", "{'metadata':{'name':'" + name + "','namespace':'n'},'spec':" + spec + "}");
  }

  private static ApiObject pod(String cpu) {
    return pod("p", "{'containers':[{'name':'c','resources':{'requests':{'cpu':'" + cpu + "'}}}]}");
  }

  private void create(ApiObject pod) {
    admission().validate(calls.create("v1", "pods", pod));
  }

  @Test
  void create_isCharged() {
    store.put("q", "{}", "{'hard':{'cpu':'3','pods':'5'},'used':{'cpu':'1','pods':'3'}}");

    create(pod("1500m"));

    assertThat(store.used("q")).isEqualTo("cpu=2500m,pods=4");
  }

  @Test
  void create_beyondTheQuota_isForbidden() {
    store.put("q", "{}", "{'hard':{'cpu':'2','pods':'5'},'used':{'cpu':'2','pods':'3'}}");

    assertThatThrownBy(() -> create(pod("1")))
        .hasMessage(
            "pods \"p\" is forbidden: exceeded quota: q, requested: cpu=1, used: cpu=2, limited:"
                + " cpu=2");
    assertThat(store.used("q")).isEqualTo("cpu=2,pods=3");
  }

  @Test
  void create_withoutALimitedResource_isForbidden() {
    store.put("q", "{}", "{'hard':{'limits.cpu':'2'},'used':{'limits.cpu':'0'}}");

    assertThatThrownBy(() -> create(pod("1")))
        .hasMessage("pods \"p\" is forbidden: failed quota: q: must specify limits.cpu for: c");
  }

  @Test
  void create_beforeTheUsageIsKnown_isForbidden() {
    store.put("q", "{}", "{'hard':{'pods':'2','cpu':'1'},'used':{'pods':'0'}}");

    assertThatThrownBy(() -> create(pod("1")))
        .hasMessage("pods \"p\" is forbidden: status unknown for quota: q, resources: cpu,pods");
  }

  @Test
  void create_outOfTheScope_isNotCharged() {
    store.put("q", "{'scopes':['Terminating']}", "{'hard':{'pods':'0'},'used':{'pods':'0'}}");

    assertThatCode(() -> create(pod("1"))).doesNotThrowAnyException();
    assertThat(store.writes).hasValue(0);
  }

  @Test
  void update_thatBringsAPodIntoAScope_countsItAsAWhole() {
    store.put("q", "{'scopes':['Terminating']}", "{'hard':{'pods':'1'},'used':{'pods':'0'}}");
    ApiObject old = pod("p", "{'containers':[{'name':'c'}]}");
    ApiObject next = pod("p", "{'activeDeadlineSeconds':5,'containers':[{'name':'c'}]}");

    admission().validate(calls.update("v1", "pods", next, old));

    assertThat(store.used("q")).isEqualTo("pods=1");
  }

  @Test
  void resize_isChargedByTheDifference() {
    store.put("q", "{}", "{'hard':{'cpu':'3','pods':'5'},'used':{'cpu':'2','pods':'3'}}");

    admission().validate(calls.call(Verb.UPDATE, "v1", "pods", "resize", pod("2"), pod("1500m")));
    assertThat(store.used("q")).isEqualTo("cpu=2500m,pods=3");
    admission().validate(calls.call(Verb.UPDATE, "v1", "pods", "resize", pod("1"), pod("2")));
    assertThat(store.used("q")).isEqualTo("cpu=2500m,pods=3");
    assertThatThrownBy(
            () ->
                admission()
                    .validate(calls.call(Verb.UPDATE, "v1", "pods", "resize", pod("4"), pod("2"))))
        .hasMessageContaining(
            "exceeded quota: q, requested: cpu=2, used: cpu=2500m, limited: cpu=3");
  }

  @Test
  void service_thatChangesItsType_isCharged() {
    store.put(
        "q",
        "{}",
        "{'hard':{'services':'1','services.nodeports':'1'},'used':{'services':'1',"
            + "'services.nodeports':'0'}}");
    ApiObject old =
        AdmissionCalls.object(
            "v1",
            "services",
            "{'metadata':{'name':'s','namespace':'n'},'spec':{'type':'ClusterIP','ports':[{},{}]}}");
    ApiObject next =
        AdmissionCalls.object(
            "v1",
            "services",
            "{'metadata':{'name':'s','namespace':'n'},'spec':{'type':'NodePort','ports':[{},{}]}}");

    assertThatThrownBy(() -> admission().validate(calls.update("v1", "services", next, old)))
        .hasMessage(
            "services \"s\" is forbidden: exceeded quota: q, requested: services.nodeports=2, used:"
                + " services.nodeports=0, limited: services.nodeports=1");
  }

  @Test
  void dryRun_isCheckedOnly() {
    store.put("q", "{}", "{'hard':{'pods':'1'},'used':{'pods':'0'}}");
    AdmissionAttributes call = calls.dryRun().create("v1", "pods", pod("1"));

    admission().validate(call);
    admission().validate(call);

    assertThat(store.used("q")).isEqualTo("pods=0");
  }

  private static LimitedResource limited(String json) {
    return LimitedResource.ofConfiguration(
            AdmissionCalls.tree("{'limitedResources':[" + json + "]}"))
        .getFirst();
  }

  @Test
  void limitedResource_needsACoveringQuota() {
    LimitedResource limited = limited("{'resource':'pods','matchContains':['cpu']}");
    AdmissionAttributes call = calls.create("v1", "pods", pod("1"));

    assertThatThrownBy(() -> admission(limited).validate(call))
        .hasMessage("pods \"p\" is forbidden: insufficient quota to consume: cpu,requests.cpu");

    store.put(
        "q", "{}", "{'hard':{'cpu':'3','requests.cpu':'3'},'used':{'cpu':'1','requests.cpu':'1'}}");
    admission(limited).validate(call);
    assertThat(store.used("q")).isEqualTo("cpu=2,requests.cpu=2");
  }

  @Test
  void limitedScope_needsAQuotaOfTheScope() {
    LimitedResource limited =
        limited(
            "{'resource':'pods','matchScopes':[{'scopeName':'PriorityClass','operator':'In',"
                + "'values':['cluster-services']}]}");
    AdmissionAttributes call =
        calls.create(
            "v1",
            "pods",
            pod("p", "{'priorityClassName':'cluster-services','containers':[{'name':'c'}]}"));

    assertThatThrownBy(() -> admission(limited).validate(call))
        .hasMessage(
            "insufficient quota to match these scopes: [{PriorityClass In [cluster-services]}]")
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN));
    assertThatCode(() -> admission(limited).validate(calls.create("v1", "pods", pod("1"))))
        .doesNotThrowAnyException();

    store.put(
        "q",
        "{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In',"
            + "'values':['cluster-services']}]}}",
        "{'hard':{'pods':'3'},'used':{'pods':'1'}}");
    admission(limited).validate(call);
    assertThat(store.used("q")).isEqualTo("pods=2");
  }

  @Test
  void limitedResource_withoutAResource_isAnError() {
    assertThatThrownBy(() -> limited("{'matchContains':['cpu']}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limitedResources[0].resource: Required value");
  }

  @Test
  void rejection_isDecidedOnTheStoredState() {
    store.put("q", "{}", "{'hard':{'pods':'1'},'used':{'pods':'1'}}");
    store.lag();
    List<Quota> stale = store.cached("n");
    store.put("q", "{}", "{'hard':{'pods':'1'},'used':{'pods':'0'}}");
    store.cache = stale;

    create(pod("1"));

    assertThat(store.used("q")).isEqualTo("pods=1");
  }

  @Test
  void waitingCreates_shareAWriteOfTheQuotaAndItsLastUnit() throws Exception {
    store.put("q", "{}", "{'hard':{'pods':'10'},'used':{'pods':'0'}}");
    store.open = new CountDownLatch(1);
    QuotaAdmission admission = admission();
    AtomicInteger accepted = new AtomicInteger();

    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      CountDownLatch begun = new CountDownLatch(200);
      for (int i = 0; i < 200; i++) {
        AdmissionAttributes call = calls.create("v1", "pods", pod("1"));
        all.add(
            clients.submit(
                () -> {
                  begun.countDown();
                  try {
                    admission.validate(call);
                    int unused = accepted.incrementAndGet();
                  } catch (ApiException e) {
                    assertThat(e.reason()).isEqualTo(Reason.FORBIDDEN);
                  }
                }));
      }
      begun.await();
      store.open.countDown();
      for (Future<?> each : all) {
        Object unused = each.get();
      }
    }

    assertThat(accepted).hasValue(10);
    assertThat(store.used("q")).isEqualTo("pods=10");
    assertThat(store.writes.get()).isBetween(1, 10);
  }

  @ParameterizedTest
  @CsvSource({
    "pods,CREATE,'',true", "pods,UPDATE,resize,true", "secrets,CREATE,'',true",
    "secrets,UPDATE,'',false", "secrets,DELETE,'',false", "events,CREATE,'',false",
    "namespaces,CREATE,'',false", "pods,CONNECT,exec,false", "pods,CREATE,eviction,false"
  })
  void handles_writesThatMayRaiseUsage(
      String resource, Verb operation, String subresource, boolean handled) {
    assertThat(admission().handles(operation, new GroupResource("", resource), subresource))
        .isEqualTo(handled);
  }
}
