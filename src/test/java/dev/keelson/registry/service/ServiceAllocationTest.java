package dev.keelson.registry.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.registry.write.Deleted;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.testing.LocalApi;
import dev.keelson.value.Cidr;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceAllocationTest extends RegistryTest {

  ServiceAllocationTest(@TempDir Path directory) {
    super(directory);
  }

  private ApiObject service(String name, String spec) {
    return api.create(
        "v1", "services", "default", "{'metadata':{'name':'" + name + "'},'spec':" + spec + "}");
  }

  private ApiObject replaced(ApiObject service, String field, Node value) {
    return api.replace(
        "v1",
        "services",
        "default",
        service.meta().name(),
        service.with("spec", service.root().map("spec").with(field, value)));
  }

  private void delete(String name) {
    Deleted unused =
        api.registry()
            .delete(
                api.collection("v1", "services", "default"),
                name,
                DeleteQuery.UNCONDITIONAL,
                WriteOptions.PERSIST);
  }

  private static String address(ApiObject service) {
    return service.root().map("spec").text("clusterIP");
  }

  private static long nodePort(ApiObject service) {
    MapNode port = (MapNode) service.root().map("spec").items("ports").getFirst();
    return port.get("nodePort") instanceof Node.Int number ? number.value() : 0;
  }

  private static Set<String> addresses(LocalApi api) {
    Set<String> names = new HashSet<>();
    api.registry()
        .list(
            api.collection("networking.k8s.io/v1", "ipaddresses", ""),
            ListQuery.ALL,
            ListPage.WHOLE)
        .all()
        .forEach(stored -> names.add(api.served(stored).meta().name()));
    return names;
  }

  private Set<String> addresses() {
    return addresses(api);
  }

  private Set<Long> ports() {
    PortBitmap stored = api.allocators().ports().read().ports();
    Set<Long> taken = new HashSet<>();
    for (long port = stored.first(); port <= stored.last(); port++) {
      if (stored.has(port)) {
        taken.add(port);
      }
    }
    return taken;
  }

  @Test
  void create_getsAnAddressOfTheRange() {
    ApiObject service = service("a", "{'ports':[{'port':80}]}");

    MapNode spec = service.root().map("spec");
    assertThat(address(service)).matches("10\\.0\\.0\\.\\d+");
    assertThat(spec.items("clusterIPs")).containsExactly(Node.text(address(service)));
    assertThat(spec.items("ipFamilies")).containsExactly(Node.text("IPv4"));
    assertThat(spec.text("ipFamilyPolicy")).isEqualTo("SingleStack");
    ApiObject held = api.get("networking.k8s.io/v1", "ipaddresses", "", address(service));
    assertThat(held.root().at("spec", "parentRef", "name")).isEqualTo(Node.text("a"));
    // no admission and no field manager
    assertThat(held.meta().node().has("managedFields")).isFalse();
  }

  @Test
  void create_withATakenAddress_isRefused() {
    ApiObject first = service("a", "{'clusterIP':'10.0.0.5','ports':[{'port':80}]}");

    assertThat(address(first)).isEqualTo("10.0.0.5");
    assertThat(
            refusal(
                Reason.INVALID,
                () -> service("b", "{'clusterIP':'10.0.0.5','ports':[{'port':80}]}")))
        .hasMessage(
            "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"10.0.0.5\"]: failed to"
                + " allocate IP 10.0.0.5: provided IP is already allocated");
    assertThat(
            refusal(
                Reason.INVALID,
                () -> service("b", "{'clusterIP':'10.1.0.5','ports':[{'port':80}]}")))
        .hasMessage(
            "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"10.1.0.5\"]: failed to"
                + " allocate IP 10.1.0.5: the provided network does not match the current range");
    assertThat(
            refusal(
                Reason.INVALID,
                () -> service("b", "{'clusterIP':'10.0.0.255','ports':[{'port':80}]}")))
        .hasMessageContaining(
            "failed to allocate IP 10.0.0.255: the provided IP (10.0.0.255) is not in the valid"
                + " range. The range of valid IPs is 10.0.0.0/24");
  }

  @Test
  void create_withATakenPort_isRefusedAndLeaksNothing() {
    ApiObject first = service("a", "{'type':'NodePort','ports':[{'port':80,'nodePort':30080}]}");
    Set<String> before = addresses();

    assertThat(nodePort(first)).isEqualTo(30080);
    assertThat(
            refusal(
                Reason.INVALID,
                () -> service("b", "{'type':'NodePort','ports':[{'port':80,'nodePort':30080}]}")))
        .hasMessage(
            "Service \"b\" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port"
                + " is already allocated");
    assertThat(
            refusal(
                Reason.INVALID,
                () -> service("b", "{'type':'NodePort','ports':[{'port':80,'nodePort':80}]}")))
        .hasMessageContaining(
            "provided port is not in the valid range. The range of valid ports is 30000-32767");
    assertThat(addresses()).isEqualTo(before);
  }

  @Test
  void create_thatFailsLater_givesBack() {
    ApiObject unused = service("a", "{'ports':[{'port':80}]}");
    Set<String> before = addresses();

    ApiException unusedRefusal =
        refusal(Reason.ALREADY_EXISTS, () -> service("a", "{'ports':[{'port':80}]}"));

    assertThat(addresses()).isEqualTo(before).hasSize(1);
  }

  @Test
  void dryRun_showsAndKeepsNothing() {
    ApiObject shown =
        api.served(
            api.registry()
                .create(
                    api.collection("v1", "services", "default"),
                    api.object(
                        "v1",
                        "services",
                        "{'metadata':{'name':'a'},'spec':{'type':'NodePort','ports':[{'port':80}]}}"),
                    WriteOptions.DRY_RUN));

    assertThat(address(shown)).startsWith("10.0.0.");
    assertThat(nodePort(shown)).isBetween(30000L, 32767L);
    assertThat(addresses()).isEmpty();
    assertThat(ports()).isEmpty();
  }

  @Test
  void delete_givesBack() {
    ApiObject unused = service("a", "{'type':'NodePort','ports':[{'port':80}]}");

    delete("a");

    assertThat(addresses()).isEmpty();
    assertThat(ports()).isEmpty();
  }

  @Test
  void theWholeRange_isGivenOutOnce() {
    Set<String> addresses = new HashSet<>();
    for (int i = 0; i < 254; i++) {
      addresses.add(address(service("s" + i, "{'ports':[{'port':80}]}")));
    }

    assertThat(addresses).hasSize(254).doesNotContain("10.0.0.0", "10.0.0.255");
    assertThat(refusal(Reason.INTERNAL_ERROR, () -> service("more", "{'ports':[{'port':80}]}")))
        .hasMessageContaining("range is full");
  }

  @Test
  void headlessAndExternalName_getNoAddress() {
    ApiObject headless = service("a", "{'clusterIP':'None','selector':{'a':'b'}}");
    ApiObject external = service("b", "{'type':'ExternalName','externalName':'example.com'}");

    assertThat(address(headless)).isEqualTo("None");
    assertThat(headless.root().map("spec").items("clusterIPs")).containsExactly(Node.text("None"));
    assertThat(headless.root().map("spec").text("ipFamilyPolicy")).isEqualTo("SingleStack");
    assertThat(external.root().map("spec").has("clusterIP")).isFalse();
    assertThat(external.root().map("spec").has("ipFamilies")).isFalse();
    assertThat(addresses()).isEmpty();
  }

  @Test
  void headlessWithoutSelector_hasBothFamilies() {
    ApiObject headless = service("a", "{'clusterIP':'None'}");

    assertThat(headless.root().map("spec").text("ipFamilyPolicy")).isEqualTo("RequireDualStack");
    assertThat(headless.root().map("spec").items("ipFamilies"))
        .containsExactly(Node.text("IPv4"), Node.text("IPv6"));
  }

  @Test
  void dualStack_cannotBeHadHere() {
    assertThat(
            refusal(
                Reason.INVALID,
                () -> service("a", "{'ipFamilyPolicy':'RequireDualStack','ports':[{'port':1}]}")))
        .hasMessageContaining("this cluster is not configured for dual-stack services");
    assertThat(
            refusal(
                Reason.INVALID, () -> service("a", "{'ipFamilies':['IPv6'],'ports':[{'port':1}]}")))
        .hasMessageContaining(
            "spec.ipFamilies[0]: Invalid value: \"IPv6\": not configured on this cluster");
  }

  @Test
  void update_keepsWhatItLeavesOut() {
    ApiObject before = service("a", "{'type':'NodePort','ports':[{'port':80}]}");

    ApiObject after =
        api.replace(
            "v1",
            "services",
            "default",
            "a",
            api.object(
                "v1",
                "services",
                "{'metadata':{'name':'a'},'spec':{'type':'NodePort','ports':[{'port':81}]}}"));

    assertThat(address(after)).isEqualTo(address(before));
    assertThat(nodePort(after)).isEqualTo(nodePort(before));
    assertThat(after.root().map("spec").text("ipFamilyPolicy")).isEqualTo("SingleStack");
  }

  @Test
  void update_ofTheType_givesAndGivesBack() {
    ApiObject plain = service("a", "{'ports':[{'port':80}]}");

    ApiObject exposed = replaced(plain, "type", Node.text("NodePort"));
    assertThat(ports()).containsExactly(nodePort(exposed));
    assertThat(address(exposed)).isEqualTo(address(plain));

    ApiObject again = replaced(exposed, "type", Node.text("ClusterIP"));
    assertThat(ports()).isEmpty();
    assertThat(((MapNode) again.root().map("spec").items("ports").getFirst()).has("nodePort"))
        .isFalse();
    assertThat(again.root().map("spec").has("externalTrafficPolicy")).isFalse();

    ApiObject external =
        api.replace(
            "v1",
            "services",
            "default",
            "a",
            again.with(
                "spec",
                again
                    .root()
                    .map("spec")
                    .with("type", Node.text("ExternalName"))
                    .with("externalName", Node.text("example.com"))));
    assertThat(addresses()).isEmpty();
    assertThat(external.root().map("spec").has("clusterIPs")).isFalse();
  }

  @Test
  void externalIps_comeAndGoWithTheirTrafficPolicy() {
    ApiObject exposed = service("a", "{'externalIPs':['1.1.1.1'],'ports':[{'port':80}]}");
    assertThat(exposed.root().at("spec", "externalTrafficPolicy")).isEqualTo(Node.text("Cluster"));

    ApiObject internal = replaced(exposed, "externalIPs", Node.Items.EMPTY);
    assertThat(internal.root().map("spec").has("externalTrafficPolicy")).isFalse();

    ApiObject again = replaced(internal, "externalIPs", Node.texts(List.of("1.1.1.1")));
    assertThat(again.root().at("spec", "externalTrafficPolicy")).isEqualTo(Node.text("Cluster"));
  }

  @Test
  void nodePort_thatStaysExternallyAccessible_keepsItsTrafficPolicy() {
    ApiObject exposed =
        service("a", "{'type':'NodePort','externalIPs':['1.1.1.1'],'ports':[{'port':80}]}");

    ApiObject plain = replaced(exposed, "type", Node.text("ClusterIP"));

    assertThat(plain.root().at("spec", "externalTrafficPolicy")).isEqualTo(Node.text("Cluster"));
    assertThat(ports()).isEmpty();
  }

  @Test
  void externalName_hasNoInternalTrafficPolicy() {
    ApiObject service =
        service(
            "a",
            "{'type':'ExternalName','externalName':'example.com',"
                + "'internalTrafficPolicy':'Cluster'}");

    assertThat(service.root().map("spec").has("internalTrafficPolicy")).isFalse();
  }

  @Test
  void loadBalancerThatAllocatesNoNodePorts_givesBackThoseThatAreLeftOut() {
    ApiObject balanced =
        service(
            "a", "{'type':'LoadBalancer','ports':[{'name':'x','port':80},{'name':'y','port':81}]}");
    long kept = ServiceShape.nodePort(balanced.root().map("spec").items("ports").get(1));

    ApiObject after =
        replacedSpec(
            balanced,
            spec(
                "{'type':'LoadBalancer','allocateLoadBalancerNodePorts':false,'ports':["
                    + "{'name':'x','port':80},{'name':'y','port':81,'nodePort':"
                    + kept
                    + "}]}"));

    assertThat(nodePort(after)).isZero();
    assertThat(ports()).containsExactly(kept);
  }

  @Test
  void typeWithoutNodePorts_keepsAllOfThemIfOneIsNew() {
    ApiObject exposed =
        service("a", "{'type':'NodePort','ports':[{'name':'x','port':80},{'name':'y','port':81}]}");
    List<Node> sent = new ArrayList<>(exposed.root().map("spec").items("ports"));
    sent.set(1, ((MapNode) sent.get(1)).with("nodePort", new Node.Int(31999)));
    ApiObject wanted =
        exposed.with(
            "spec",
            exposed
                .root()
                .map("spec")
                .with("type", Node.text("ClusterIP"))
                .with("ports", new Node.Items(sent)));

    ApiObject kept = api.replace("v1", "services", "default", "a", wanted);

    // validation, which is not a part of this registry, refuses each of them
    assertThat(kept.root().map("spec").items("ports")).isEqualTo(sent);
  }

  @Test
  void otherTypes_haveNoLoadBalancerInTheirStatus() {
    ApiObject balanced = service("a", "{'type':'LoadBalancer','ports':[{'port':80}]}");
    MapNode status =
        api.object(
                "v1",
                "services",
                "{'status':{'loadBalancer':{'ingress':[{'ip':'203.0.113.1'}]},"
                    + "'conditions':[{'type':'A','status':'True','reason':'b','message':'',"
                    + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}")
            .root()
            .map("status");
    ApiObject told =
        api.served(
            api.registry()
                .replaceStatus(
                    api.collection("v1", "services", "default"),
                    "a",
                    balanced.with("status", status),
                    WriteOptions.PERSIST));

    ApiObject same = replaced(told, "sessionAffinity", Node.text("ClientIP"));
    assertThat(same.root().map("status")).isEqualTo(told.root().map("status"));

    ApiObject plain = replaced(same, "type", Node.text("ClusterIP"));
    assertThat(plain.root().map("status").map("loadBalancer").isEmpty()).isTrue();
    assertThat(plain.root().map("status").items("conditions")).hasSize(1);
  }

  @Test
  void addresses_followEachOtherAsInKubernetes() {
    ApiObject headless = service("a", "{'clusterIP':'None','selector':{'a':'b'}}");
    ApiObject external =
        replacedSpec(
            headless,
            spec("{'type':'ExternalName','externalName':'example.com','clusterIP':'None'}"));
    assertThat(external.root().map("spec").has("clusterIPs")).isFalse();

    ApiObject internal = replacedSpec(external, spec("{'ports':[{'port':80}]}"));
    assertThat(address(internal)).startsWith("10.0.0.");
  }

  private MapNode spec(String json) {
    return api.object("v1", "services", "{'spec':" + json + "}").root().map("spec");
  }

  private ApiObject replacedSpec(ApiObject service, MapNode spec) {
    return api.replace(
        "v1", "services", "default", service.meta().name(), service.with("spec", spec));
  }

  @Test
  void localLoadBalancer_getsAHealthCheckPort() {
    ApiObject balanced =
        service(
            "a", "{'type':'LoadBalancer','externalTrafficPolicy':'Local','ports':[{'port':80}]}");

    assertThat(balanced.root().map("spec").get("healthCheckNodePort"))
        .isInstanceOfSatisfying(
            Node.Int.class, port -> assertThat(port.value()).isBetween(30000L, 32767L));
    assertThat(ports()).hasSize(2);
  }

  @Test
  void samePortInTwoProtocols_sharesANodePort() {
    ApiObject service =
        service(
            "a",
            "{'type':'NodePort','ports':[{'name':'t','port':53},"
                + "{'name':'u','port':53,'protocol':'UDP'}]}");

    List<Node> ports = service.root().map("spec").items("ports");
    assertThat(((MapNode) ports.get(0)).get("nodePort"))
        .isEqualTo(((MapNode) ports.get(1)).get("nodePort"));
    assertThat(ports()).hasSize(1);
  }

  @Test
  void dualStackCluster_givesAsManyFamiliesAsAsked(@TempDir Path directory) {
    ServiceRanges ranges =
        new ServiceRanges(
            List.of(
                new AddressBlock(Cidr.parse("10.0.0.0/24")),
                new AddressBlock(Cidr.parse("fd00::/108"))),
            30000,
            32767);
    try (LocalApi dual = LocalApi.open(directory, ranges)) {
      ApiObject single =
          dual.create(
              "v1",
              "services",
              "default",
              "{'metadata':{'name':'a'},'spec':{'ports':[{'port':1}]}}");
      ApiObject both =
          dual.create(
              "v1",
              "services",
              "default",
              "{'metadata':{'name':'b'},'spec':{'ipFamilyPolicy':'PreferDualStack',"
                  + "'ipFamilies':['IPv6'],'ports':[{'port':1}]}}");
      ApiObject less =
          dual.replace(
              "v1",
              "services",
              "default",
              "b",
              both.with(
                  "spec",
                  both.root().map("spec").with("ipFamilyPolicy", Node.text("SingleStack"))));

      assertThat(single.root().map("spec").items("clusterIPs")).hasSize(1);
      assertThat(address(both)).startsWith("fd00::");
      assertThat(both.root().map("spec").items("clusterIPs")).hasSize(2);
      assertThat(less.root().map("spec").items("clusterIPs"))
          .containsExactly(Node.text(address(both)));
      assertThat(addresses(dual)).containsExactlyInAnyOrder(address(single), address(both));
    }
  }

  @Test
  void addresses_comeFromTheUpperBandFirst() {
    for (int i = 0; i < 238; i++) {
      int last =
          Integer.parseInt(address(service("s" + i, "{'ports':[{'port':80}]}")).substring(7));
      assertThat(last).isBetween(17, 254);
    }

    assertThat(address(service("low", "{'ports':[{'port':80}]}"))).matches("10\\.0\\.0\\.\\d{1,2}");
  }

  @Test
  void ranges_comeAndGo() {
    api.serviceCidrs();
    assertThat(refusal(Reason.INTERNAL_ERROR, () -> service("a", "{'ports':[{'port':80}]}")))
        .hasMessage("Internal error occurred: failed to allocate a serviceIP: range is full");

    api.serviceCidrs(
        new AddressBlock(Cidr.parse("10.0.0.0/31")), new AddressBlock(Cidr.parse("10.5.0.0/30")));
    ApiObject first = service("a", "{'ports':[{'port':80}]}");
    ApiObject second = service("b", "{'ports':[{'port':80}]}");

    assertThat(Set.of(address(first), address(second)))
        .containsExactlyInAnyOrder("10.5.0.1", "10.5.0.2");
    assertThat(refusal(Reason.INTERNAL_ERROR, () -> service("c", "{'ports':[{'port':80}]}")))
        .hasMessageContaining("range is full");
    api.serviceCidrs(new AddressBlock(Cidr.parse("10.6.0.0/24")));
    delete("a");
    assertThat(addresses()).containsExactly(address(second));
  }

  @Test
  void update_ofTheAddress_isLeftToValidation() {
    ApiObject plain = service("a", "{'ports':[{'port':80}]}");

    ApiObject changed = replaced(plain, "clusterIP", Node.text("10.9.0.1"));

    // this registry has no validation; nothing was allocated for the other address
    assertThat(address(changed)).isEqualTo("10.9.0.1");
    assertThat(addresses()).isEmpty();
  }

  @Test
  void requestedHealthCheckPort_thatIsTaken_isAnInternalError() {
    ApiObject unused = service("a", "{'type':'NodePort','ports':[{'port':80,'nodePort':30080}]}");

    assertThat(
            refusal(
                Reason.INTERNAL_ERROR,
                () ->
                    service(
                        "b",
                        "{'type':'LoadBalancer','externalTrafficPolicy':'Local',"
                            + "'healthCheckNodePort':30080,'ports':[{'port':80}]}")))
        .hasMessage(
            "Internal error occurred: failed to allocate requested HealthCheck NodePort 30080:"
                + " provided port is already allocated");
    assertThat(ports()).containsExactly(30080L);
  }

  @Test
  void portOfTwoProtocols_isRefusedAtTheFirst() {
    ApiObject unused = service("a", "{'type':'NodePort','ports':[{'port':80,'nodePort':30080}]}");

    assertThat(
            refusal(
                Reason.INVALID,
                () ->
                    service(
                        "b",
                        "{'type':'NodePort','ports':[{'name':'u','port':53,'protocol':'UDP'},"
                            + "{'name':'t','port':53,'nodePort':30080}]}")))
        .hasMessageContaining("spec.ports[0].nodePort: Invalid value: 30080");
  }

  @Test
  void update_withTheSameNodePortTwice_isRefused() {
    ApiObject plain = service("a", "{'ports':[{'name':'a','port':80},{'name':'b','port':81}]}");
    List<Node> ports = new ArrayList<>();
    for (MapNode port : plain.root().map("spec").maps("ports")) {
      ports.add(port.with("nodePort", new Node.Int(30090)).with("protocol", Node.text("TCP")));
    }
    ApiObject twice =
        plain.with(
            "spec",
            plain
                .root()
                .map("spec")
                .with("type", Node.text("NodePort"))
                .with("ports", new Node.Items(ports)));

    assertThat(refusal(Reason.UNKNOWN, () -> api.replace("v1", "services", "default", "a", twice)))
        .hasMessage("duplicate nodePort: {TCP 30090}");
    assertThat(ports()).isEmpty();
  }

  @Test
  void nodePorts_areStoredAsKubeApiserverStoresThem() {
    ApiObject unused = service("a", "{'type':'NodePort','ports':[{'port':80,'nodePort':30009}]}");
    Bytes key = KeyLayout.KUBERNETES.other("ranges/servicenodeports");

    Entry stored = Objects.requireNonNull(api.store().get(key, RevisionedStore.NEWEST).entry());

    assertThat(stored.value().utf8())
        .contains("\"kind\":\"RangeAllocation\"", "\"range\":\"30000-32767\"", "\"data\":\"AgA=\"");
  }

  @Test
  void nodePorts_ofAStoreWithoutThem_areThoseOfServices() {
    ApiObject unused = service("a", "{'type':'NodePort','ports':[{'port':80,'nodePort':30009}]}");
    Bytes key = KeyLayout.KUBERNETES.other("ranges/servicenodeports");
    Entry stored = Objects.requireNonNull(api.store().get(key, RevisionedStore.NEWEST).entry());
    WriteOutcome gone = api.store().write(Write.delete(key, stored.modRevision()));

    assertThat(gone).isInstanceOf(WriteOutcome.Applied.class);
    assertThat(ports()).containsExactly(30009L);
  }

  @Test
  void nodePorts_thatAnotherServerTook_areNotGivenTwice() {
    ApiObject unused = service("a", "{'type':'NodePort','ports':[{'port':80,'nodePort':30009}]}");
    Bytes key = KeyLayout.KUBERNETES.other("ranges/servicenodeports");
    Entry stored = Objects.requireNonNull(api.store().get(key, RevisionedStore.NEWEST).entry());
    WriteOutcome other =
        api.store()
            .write(
                Write.put(
                    key,
                    Bytes.utf8(stored.value().utf8().replace("AgA=", "BgA=")),
                    stored.modRevision()));

    assertThat(other).isInstanceOf(WriteOutcome.Applied.class);
    assertThat(
            refusal(
                Reason.INVALID,
                () -> service("b", "{'type':'NodePort','ports':[{'port':80,'nodePort':30010}]}")))
        .hasMessageContaining("provided port is already allocated");
    assertThat(nodePort(service("c", "{'type':'NodePort','ports':[{'port':80,'nodePort':30011}]}")))
        .isEqualTo(30011);
    assertThat(ports()).containsExactlyInAnyOrder(30009L, 30010L, 30011L);
  }

  @Test
  void families_needAPolicyIfThereAreTwo(@TempDir Path directory) {
    ServiceRanges ranges =
        new ServiceRanges(
            List.of(
                new AddressBlock(Cidr.parse("10.0.0.0/24")),
                new AddressBlock(Cidr.parse("fd00::/108"))),
            30000,
            32767);
    try (LocalApi dual = LocalApi.open(directory, ranges)) {
      assertThat(
              refusal(
                  Reason.INVALID,
                  () ->
                      dual.create(
                          "v1",
                          "services",
                          "default",
                          "{'metadata':{'name':'a'},'spec':{'ipFamilies':['IPv4','IPv6'],"
                              + "'ports':[{'port':1}]}}")))
          .hasMessage(
              "Service \"a\" is invalid: spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must"
                  + " be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are"
                  + " specified");
      ApiObject single =
          dual.create(
              "v1",
              "services",
              "default",
              "{'metadata':{'name':'a'},'spec':{'clusterIP':'10.0.0.7','ports':[{'port':1}]}}");
      ApiObject both =
          dual.replace(
              "v1",
              "services",
              "default",
              "a",
              single.with(
                  "spec",
                  single.root().map("spec").with("ipFamilyPolicy", Node.text("RequireDualStack"))));
      assertThat(both.root().map("spec").items("ipFamilies"))
          .containsExactly(Node.text("IPv4"), Node.text("IPv6"));
      assertThat(addresses(dual)).hasSize(2).contains("10.0.0.7");
      assertThat(
              refusal(
                  Reason.INVALID,
                  () ->
                      dual.replace(
                          "v1",
                          "services",
                          "default",
                          "a",
                          both.with(
                              "spec",
                              both.root()
                                  .map("spec")
                                  .with("clusterIPs", Node.texts(List.of("10.0.0.7")))))))
          .hasMessageContaining("must be 'SingleStack' to release the secondary cluster IP");
    }
  }

  private ApiObject endpoints(String name, String meta) {
    return api.create(
        "v1",
        "endpoints",
        "default",
        "{'metadata':{'name':'" + name + "'" + meta + "},'subsets':[]}");
  }

  private boolean hasEndpoints(String name) {
    return api
        .registry()
        .list(api.collection("v1", "endpoints", "default"), ListQuery.ALL, ListPage.WHOLE)
        .all()
        .stream()
        .anyMatch(stored -> api.served(stored).meta().name().equals(name));
  }

  @Test
  void delete_takesEndpointsOfTheSameNameAlong() {
    ApiObject unused = service("a", "{'ports':[{'port':80}]}");
    ApiObject unusedOwn = endpoints("a", "");
    ApiObject unusedOther = endpoints("b", "");
    Deleted unusedDryRun =
        api.registry()
            .delete(
                api.collection("v1", "services", "default"),
                "a",
                DeleteQuery.UNCONDITIONAL,
                WriteOptions.DRY_RUN);
    assertThat(hasEndpoints("a")).isTrue();

    delete("a");

    assertThat(hasEndpoints("a")).isFalse();
    assertThat(hasEndpoints("b")).isTrue();
  }

  @Test
  void delete_marksEndpointsThatHaveFinalizers() {
    ApiObject unused = service("a", "{'ports':[{'port':80}]}");
    ApiObject unusedOwn = endpoints("a", ",'finalizers':['example.com/x']");

    delete("a");

    assertThat(api.get("v1", "endpoints", "default", "a").meta().deleting()).isTrue();
  }

  @Test
  void update_ofTheAddressWithoutTheList_changesTheList() {
    ApiObject plain = service("a", "{'ports':[{'port':80}]}");

    ApiObject changed =
        replacedSpec(plain, spec("{'clusterIP':'10.0.0.99','ports':[{'port':80}]}"));

    // validation, which is not a part of this registry, then says that it may not change
    assertThat(changed.root().map("spec").items("clusterIPs"))
        .containsExactly(Node.text("10.0.0.99"));
  }

  @Test
  void loadBalancerThatAllocatesNodePortsFromNowOn_getsNewOnes() {
    ApiObject balanced =
        service(
            "a",
            "{'type':'LoadBalancer','allocateLoadBalancerNodePorts':false,"
                + "'ports':[{'port':80,'nodePort':30080}]}");

    ApiObject after =
        replacedSpec(
            balanced,
            spec(
                "{'type':'LoadBalancer','allocateLoadBalancerNodePorts':true,"
                    + "'ports':[{'port':80}]}"));

    assertThat(nodePort(after)).isNotZero().isNotEqualTo(30080);
    assertThat(ports()).containsExactly(nodePort(after));
  }

  @Test
  void headless_whoseFamiliesAreLeftOut_hasTheFamilyOfTheCluster(@TempDir Path directory) {
    ServiceRanges ranges =
        new ServiceRanges(
            List.of(
                new AddressBlock(Cidr.parse("10.0.0.0/24")),
                new AddressBlock(Cidr.parse("fd00::/108"))),
            30000,
            32767);
    try (LocalApi dual = LocalApi.open(directory, ranges)) {
      String selected = "'clusterIP':'None','selector':{'a':'b'}";
      ApiObject headless =
          dual.create(
              "v1",
              "services",
              "default",
              "{'metadata':{'name':'a'},'spec':{" + selected + ",'ipFamilies':['IPv6']}}");

      ApiObject after =
          dual.replace(
              "v1",
              "services",
              "default",
              "a",
              headless.with(
                  "spec",
                  dual.object("v1", "services", "{'spec':{" + selected + "}}").root().map("spec")));

      assertThat(after.root().map("spec").items("ipFamilies")).containsExactly(Node.text("IPv4"));
    }
  }
}
