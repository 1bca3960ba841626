package dev.keelson.controller.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.controller.service.NetworkChanges.Kind;
import dev.keelson.controller.service.RepairMetrics.Fault;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AddressRepairTest {

  private static final String OURS =
      "'ipaddress.kubernetes.io/ip-family':'IPv4',"
          + "'ipaddress.kubernetes.io/managed-by':'ipallocator.k8s.io'";

  private NetworkFixture network;
  private AddressRepair repair;

  @BeforeEach
  void open(@TempDir Path directory) {
    network = new NetworkFixture(directory);
    repair =
        new AddressRepair(
            network.client, network.state, network.events, network.metrics, network.api.clock());
    ApiObject unused = network.cidr("kubernetes", "'10.0.0.0/24'");
  }

  @AfterEach
  void close() {
    network.close();
  }

  private void service(String address) {
    ApiObject unused =
        network.service("a", "{'clusterIP':'" + address + "','ports':[{'port':80}]}");
  }

  private void remove(String address) {
    network.client.delete(
        Kind.IP_ADDRESSES.resource(),
        "",
        address,
        new DeleteRequest("", "", Dependents.BACKGROUND));
  }

  private MapNode parent(String address) {
    return network
        .client
        .get(Kind.IP_ADDRESSES.resource(), "", address)
        .orElseThrow()
        .root()
        .map("spec")
        .map("parentRef");
  }

  @Test
  void rightService_isNotLookedAt() {
    service("10.0.0.7");

    assertThat(network.wrongServices()).isEmpty();
  }

  @Test
  void missingAddress_isMade() {
    service("10.0.0.7");
    remove("10.0.0.7");

    assertThat(network.wrongServices()).containsExactly("default/a");
    repair.service("default", "a");

    assertThat(parent("10.0.0.7").text("name")).isEqualTo("a");
    assertThat(network.reasons()).containsExactly("ClusterIPNotAllocated");
    assertThat(network.counted).containsEntry(Fault.REPAIR, 1);
    assertThat(network.wrongServices()).isEmpty();
  }

  @Test
  void addressForSomethingElse_isMadeAgain() {
    service("10.0.0.7");
    remove("10.0.0.7");
    ApiObject unused =
        network.address("10.0.0.7", OURS, "{'group':'g','resource':'gateways','name':'x'}");

    assertThat(network.wrongServices()).containsExactly("default/a");
    repair.service("default", "a");

    assertThat(parent("10.0.0.7").text("resource")).isEqualTo("services");
  }

  @Test
  void addressOfAServiceThatIsGone_isMadeAgain() {
    service("10.0.0.7");
    remove("10.0.0.7");
    ApiObject unused =
        network.address(
            "10.0.0.7", OURS, "{'resource':'services','namespace':'default','name':'gone'}");

    assertThat(network.wrongServices()).containsExactly("default/a");
    repair.service("default", "a");

    assertThat(parent("10.0.0.7").text("name")).isEqualTo("a");
  }

  @Test
  void addressWithOtherLabels_isMadeAgain() {
    service("10.0.0.7");
    remove("10.0.0.7");
    ApiObject unused =
        network.address(
            "10.0.0.7",
            "'ipaddress.kubernetes.io/ip-family':'IPv6'",
            "{'resource':'services','namespace':'default','name':'a'}");

    assertThat(network.wrongServices()).containsExactly("default/a");
    repair.service("default", "a");

    assertThat(
            network
                .client
                .get(Kind.IP_ADDRESSES.resource(), "", "10.0.0.7")
                .orElseThrow()
                .meta()
                .labels())
        .containsEntry(NetworkState.FAMILY, "IPv4")
        .containsEntry(NetworkState.MANAGED_BY, NetworkState.ALLOCATOR);
  }

  @Test
  void addressOfTwoServices_isTold() {
    service("10.0.0.7");
    remove("10.0.0.7");
    ApiObject unused = network.service("b", "{'clusterIP':'10.0.0.7','ports':[{'port':80}]}");

    assertThat(network.wrongServices()).containsExactly("default/a");
    repair.service("default", "a");

    assertThat(parent("10.0.0.7").text("name")).isEqualTo("b");
    assertThat(network.reasons()).containsExactly("ClusterIPAlreadyAllocated");
    assertThat(network.counted).containsEntry(Fault.DUPLICATE, 1);
  }

  @Test
  void addressInNoRange_isTold() {
    service("10.0.0.7");
    remove("10.0.0.7");
    network.client.delete(
        Kind.SERVICE_CIDRS.resource(),
        "",
        "kubernetes",
        new DeleteRequest("", "", Dependents.BACKGROUND));
    ApiObject unused = network.cidr("other", "'10.9.0.0/24'");

    assertThat(network.wrongServices()).containsExactly("default/a");
    repair.service("default", "a");

    assertThat(network.exists(Kind.IP_ADDRESSES, "10.0.0.7")).isFalse();
    assertThat(network.reasons()).containsExactly("ClusterIPOutOfRange");
  }

  @Test
  void addressWithoutAService_isDeletedAfterTheGrace() {
    ApiObject unused =
        network.address(
            "10.0.0.7", OURS, "{'resource':'services','namespace':'default','name':'gone'}");
    network.catchUp(network.state);
    assertThat(network.wrongServices()).isEmpty();
    assertThat(network.state.orphans()).containsExactly("10.0.0.7");

    repair.orphan("10.0.0.7");
    assertThat(network.exists(Kind.IP_ADDRESSES, "10.0.0.7")).isTrue();

    network.api.clock().advance(Duration.ofSeconds(61));
    repair.orphan("10.0.0.7");
    assertThat(network.exists(Kind.IP_ADDRESSES, "10.0.0.7")).isFalse();
    assertThat(network.reasons()).containsExactly("IPAddressNotAllocated");
    assertThat(network.counted).containsEntry(Fault.LEAK, 1);
  }

  @Test
  void addressThatItsServiceDoesNotHave_isDeletedAfterTheGrace() {
    service("10.0.0.7");
    ApiObject unused =
        network.address(
            "10.0.0.8", OURS, "{'resource':'services','namespace':'default','name':'a'}");

    repair.orphan("10.0.0.8");
    assertThat(network.exists(Kind.IP_ADDRESSES, "10.0.0.8")).isTrue();

    network.api.clock().advance(Duration.ofSeconds(61));
    repair.orphan("10.0.0.7");
    repair.orphan("10.0.0.8");
    assertThat(network.exists(Kind.IP_ADDRESSES, "10.0.0.7")).isTrue();
    assertThat(network.exists(Kind.IP_ADDRESSES, "10.0.0.8")).isFalse();
    assertThat(network.reasons()).containsExactly("IPAddressWrongReference");
  }

  @Test
  void addressOfTheAllocatorForSomethingElse_isDeletedAtOnce() {
    ApiObject unused =
        network.address("10.0.0.7", OURS, "{'group':'g','resource':'gateways','name':'x'}");

    repair.orphan("10.0.0.7");

    assertThat(network.exists(Kind.IP_ADDRESSES, "10.0.0.7")).isFalse();
  }

  @Test
  void addressOfAnotherController_stays() {
    ApiObject unused =
        network.address(
            "10.0.0.7",
            "'ipaddress.kubernetes.io/managed-by':'other'",
            "{'resource':'services','namespace':'default','name':'gone'}");
    network.api.clock().advance(Duration.ofSeconds(61));

    repair.orphan("10.0.0.7");

    assertThat(network.exists(Kind.IP_ADDRESSES, "10.0.0.7")).isTrue();
  }
}
