package dev.keelson.controller.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.registry.service.AddressBlock;
import dev.keelson.registry.service.ServiceRanges;
import dev.keelson.testing.LocalApi;
import dev.keelson.value.Cidr;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SystemObjectsTest {

  private static final SystemObjects.Place PLACE =
      new SystemObjects.Place("10.0.0.1", "192.0.2.7", 6443);

  private final LocalApi api;
  private final SystemObjects system;

  SystemObjectsTest(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
    system = new SystemObjects(new LocalResourceClient(api.catalog(), api.registry()));
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void ensure_makesNamespacesAndTheServiceOfTheServer() {
    system.ensure(PLACE);

    for (String name : new String[] {"default", "kube-system", "kube-public", "kube-node-lease"}) {
      MapNode namespace = api.get("v1", "namespaces", "", name).root();
      assertThat(namespace.map("status").text("phase")).isEqualTo("Active");
    }
    MapNode service = api.get("v1", "services", "default", "kubernetes").root().map("spec");
    assertThat(service.text("clusterIP")).isEqualTo("10.0.0.1");
    MapNode port = (MapNode) service.items("ports").getFirst();
    assertThat(port.get("port")).isEqualTo(new Node.Int(443));
    assertThat(port.get("targetPort")).isEqualTo(new Node.Int(6443));
    assertThat(LocalApi.json(api.get("v1", "endpoints", "default", "kubernetes").root()))
        .contains("'addresses':[{'ip':'192.0.2.7'}]");
    assertThat(
            LocalApi.json(
                api.get("discovery.k8s.io/v1", "endpointslices", "default", "kubernetes").root()))
        .contains("'addressType':'IPv4'", "'kubernetes.io/service-name':'kubernetes'");
  }

  @Test
  void ensure_leavesWhatIsThere() {
    system.ensure(PLACE);
    ApiObject before = api.get("v1", "services", "default", "kubernetes");

    system.ensure(new SystemObjects.Place("10.0.0.1", "192.0.2.8", 6444));

    assertThat(api.get("v1", "services", "default", "kubernetes")).isEqualTo(before);
  }

  @Test
  void moveTo_saysWhereTheServerIsNow_andChangesNothingTwice() {
    system.ensure(PLACE);
    SystemObjects.Place next = new SystemObjects.Place("10.0.0.1", "192.0.2.8", 6444);

    system.moveTo(next);
    ApiObject slice = api.get("discovery.k8s.io/v1", "endpointslices", "default", "kubernetes");
    system.moveTo(next);

    assertThat(LocalApi.json(api.get("v1", "services", "default", "kubernetes").root()))
        .contains("'port':443,'targetPort':6444");
    assertThat(LocalApi.json(api.get("v1", "endpoints", "default", "kubernetes").root()))
        .contains("'192.0.2.8'", "'port':6444")
        .doesNotContain("192.0.2.7");
    assertThat(LocalApi.json(slice.root()))
        .contains("'addresses':['192.0.2.8']", "'port':6444")
        .doesNotContain("192.0.2.7");
    assertThat(api.get("discovery.k8s.io/v1", "endpointslices", "default", "kubernetes"))
        .isEqualTo(slice);
  }

  @Test
  void ensure_onTheLoopbackAddress_makesValidObjects() {
    system.ensure(new SystemObjects.Place("10.0.0.1", "127.0.0.1", 6443));

    assertThat(LocalApi.json(api.get("v1", "endpoints", "default", "kubernetes").root()))
        .contains("'addresses':[{'ip':'127.0.0.1'}]");
  }

  @Test
  void ensure_onIpv6_saysSo(@TempDir Path directory) {
    ServiceRanges ranges =
        new ServiceRanges(List.of(new AddressBlock(Cidr.parse("fd00::/108"))), 30000, 32767);
    try (LocalApi six = LocalApi.open(directory, ranges)) {
      new SystemObjects(new LocalResourceClient(six.catalog(), six.registry()))
          .ensure(new SystemObjects.Place("fd00::1", "2001:db8::7", 6443));

      MapNode service = six.get("v1", "services", "default", "kubernetes").root().map("spec");
      assertThat(service.items("ipFamilies")).containsExactly(Node.text("IPv6"));
      assertThat(
              six.get("discovery.k8s.io/v1", "endpointslices", "default", "kubernetes")
                  .root()
                  .text("addressType"))
          .isEqualTo("IPv6");
    }
  }
}
