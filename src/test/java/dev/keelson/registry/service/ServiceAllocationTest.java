package dev.keelson.registry.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.registry.write.Deleted;
import dev.keelson.testing.LocalApi;
import dev.keelson.value.Cidr;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
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

  private Set<String> claimed(Allocator.Kind kind) {
    return api.allocator().taken(kind);
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
        .hasMessageContaining("The range of valid IPs is 10.0.0.0/24");
  }

  @Test
  void create_withATakenPort_isRefusedAndLeaksNothing() {
    ApiObject first = service("a", "{'type':'NodePort','ports':[{'port':80,'nodePort':30080}]}");
    Set<String> before = claimed(Allocator.Kind.ADDRESS);

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
    assertThat(claimed(Allocator.Kind.ADDRESS)).isEqualTo(before);
  }

  @Test
  void create_thatFailsLater_givesBack() {
    ApiObject unused = service("a", "{'ports':[{'port':80}]}");
    Set<String> before = claimed(Allocator.Kind.ADDRESS);

    ApiException unusedRefusal =
        refusal(Reason.ALREADY_EXISTS, () -> service("a", "{'ports':[{'port':80}]}"));

    assertThat(claimed(Allocator.Kind.ADDRESS)).isEqualTo(before).hasSize(1);
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
    assertThat(claimed(Allocator.Kind.ADDRESS)).isEmpty();
    assertThat(claimed(Allocator.Kind.PORT)).isEmpty();
  }

  @Test
  void delete_givesBack() {
    ApiObject unused = service("a", "{'type':'NodePort','ports':[{'port':80}]}");

    delete("a");

    assertThat(claimed(Allocator.Kind.ADDRESS)).isEmpty();
    assertThat(claimed(Allocator.Kind.PORT)).isEmpty();
  }

  @Test
  void theWholeRange_isGivenOutOnce() {
    Set<String> addresses = new HashSet<>();
    for (int i = 0; i < 253; i++) {
      addresses.add(address(service("s" + i, "{'ports':[{'port':80}]}")));
    }

    assertThat(addresses).hasSize(253).doesNotContain("10.0.0.0", "10.0.0.1", "10.0.0.255");
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
    assertThat(claimed(Allocator.Kind.ADDRESS)).isEmpty();
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
    assertThat(claimed(Allocator.Kind.PORT)).containsExactly(Long.toString(nodePort(exposed)));
    assertThat(address(exposed)).isEqualTo(address(plain));

    ApiObject again = replaced(exposed, "type", Node.text("ClusterIP"));
    assertThat(claimed(Allocator.Kind.PORT)).isEmpty();
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
    assertThat(claimed(Allocator.Kind.ADDRESS)).isEmpty();
    assertThat(external.root().map("spec").has("clusterIPs")).isFalse();
  }

  @Test
  void localLoadBalancer_getsAHealthCheckPort() {
    ApiObject balanced =
        service(
            "a", "{'type':'LoadBalancer','externalTrafficPolicy':'Local','ports':[{'port':80}]}");

    assertThat(balanced.root().map("spec").get("healthCheckNodePort"))
        .isInstanceOfSatisfying(
            Node.Int.class, port -> assertThat(port.value()).isBetween(30000L, 32767L));
    assertThat(claimed(Allocator.Kind.PORT)).hasSize(2);
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
    assertThat(claimed(Allocator.Kind.PORT)).hasSize(1);
  }

  @Test
  void repair_removesWhatNobodyHasInTwoPasses_andMakesWhatIsMissing() {
    ApiObject service = service("a", "{'ports':[{'port':80}]}");
    api.allocator().release(Allocator.Kind.ADDRESS, address(service), "default", "a");
    assertThat(api.allocator().allocate(Allocator.Kind.PORT, "30001", "default", "crashed"))
        .isTrue();

    api.allocator().repair();
    assertThat(claimed(Allocator.Kind.PORT)).containsExactly("30001");
    api.allocator().repair();

    assertThat(claimed(Allocator.Kind.PORT)).isEmpty();
    assertThat(claimed(Allocator.Kind.ADDRESS)).containsExactly(address(service));
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
      assertThat(dual.allocator().taken(Allocator.Kind.ADDRESS))
          .containsExactlyInAnyOrder(address(single), address(both));
    }
  }
}
