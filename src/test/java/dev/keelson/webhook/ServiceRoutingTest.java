package dev.keelson.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.TreeJson;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** As the tables of apiserver's proxy_test.go. */
class ServiceRoutingTest {

  private record Known(String service, String... slices) implements ServiceSource {
    @Override
    public Optional<ApiObject> service(String namespace, String name) {
      return namespace.equals("one") && name.equals("alfa") && !service.isEmpty()
          ? Optional.of(object(service))
          : Optional.empty();
    }

    @Override
    public List<ApiObject> endpointSlices(String namespace, String name) {
      return java.util.Arrays.stream(slices).map(Known::object).toList();
    }

    private static ApiObject object(String json) {
      return new ApiObject((MapNode) TreeJson.read(json.getBytes(StandardCharsets.UTF_8)));
    }
  }

  private static String cluster(String service) {
    return shown(new ClusterAddresses(new Known(service)), 443);
  }

  private static String endpoint(String service, String... slices) {
    return shown(new EndpointAddresses(new Known(service, slices), new Random(1)), 443);
  }

  private static String shown(ServiceResolver resolver, int port) {
    try {
      InetSocketAddress address = resolver.resolve("one", "alfa", port);
      assertThat(address.isUnresolved()).isTrue();
      return address.getHostString() + " " + address.getPort();
    } catch (UnresolvableServiceException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static final String PORTS = "'ports':[{'name':'https','port':443,'targetPort':1443}]";

  private static final String READY =
      "{'addressType':'IPv4','ports':[{'name':'https','port':1443}],'endpoints':"
          + "[{'addresses':['127.0.0.1'],'conditions':{'ready':true}}]}";

  @Test
  void cluster_routesByTheTypeOfTheService() {
    assertThat(cluster("{'spec':{'type':'ClusterIP','clusterIP':'10.0.0.1'," + PORTS + "}}"))
        .isEqualTo("10.0.0.1 443");
    assertThat(cluster("{'spec':{'type':'LoadBalancer','clusterIP':'10.0.0.1'," + PORTS + "}}"))
        .isEqualTo("10.0.0.1 443");
    assertThat(cluster("{'spec':{'type':'NodePort','clusterIP':'fd00::1'," + PORTS + "}}"))
        .isEqualTo("fd00::1 443");
    assertThat(cluster("{'spec':{'type':'ExternalName','externalName':'foo.bar.com'}}"))
        .isEqualTo("foo.bar.com 443");
    assertThat(cluster("{'spec':{'type':'ClusterIP','clusterIP':'None'," + PORTS + "}}"))
        .isEqualTo("cannot route to service with ClusterIP \"None\"");
    assertThat(cluster("{'spec':{'type':'Other'," + PORTS + "}}"))
        .isEqualTo("unsupported service type \"Other\"");
    assertThat(cluster("{'spec':{'type':'ClusterIP','clusterIP':'10.0.0.1','ports':[]}}"))
        .isEqualTo("no service port 443 found for service \"alfa\"");
    assertThat(cluster("")).isEqualTo("service \"alfa\" not found");
  }

  @Test
  void endpoints_areReadyOnesOfThePort() {
    String service = "{'spec':{'type':'ClusterIP','clusterIP':'None'," + PORTS + "}}";
    assertThat(endpoint(service, READY)).isEqualTo("127.0.0.1 1443");
    assertThat(endpoint(service)).isEqualTo("no endpoints available for service \"alfa\"");
    assertThat(endpoint(service, READY.replace("'ready':true", "'ready':false")))
        .isEqualTo("no endpoints available for service \"alfa\"");
    assertThat(endpoint(service, READY.replace("'ready':true", "")))
        .as("unknown is ready")
        .isEqualTo("127.0.0.1 1443");
    assertThat(endpoint(service, READY.replace("https", "other")))
        .isEqualTo("no endpoints available for service \"alfa\"");
    assertThat(endpoint(service, READY.replace("https", "other"), READY))
        .isEqualTo("127.0.0.1 1443");
    assertThat(endpoint("{'spec':{'type':'ExternalName','externalName':'foo'}}", READY))
        .isEqualTo("unsupported service type \"ExternalName\"");
    assertThat(endpoint("", READY)).isEqualTo("service \"alfa\" not found");
  }

  @Test
  void endpoints_preferThePrimaryFamily() {
    String service = "{'spec':{'type':'ClusterIP','ipFamilies':['IPv6','IPv4']," + PORTS + "}}";
    String six = READY.replace("IPv4", "IPv6").replace("127.0.0.1", "::1");
    for (int i = 0; i < 10; i++) {
      assertThat(endpoint(service, READY, six)).isEqualTo("::1 1443");
    }
  }

  @Test
  void kubernetesOfDefault_isThisServer() throws UnresolvableServiceException {
    InetSocketAddress self = InetSocketAddress.createUnresolved("127.0.0.1", 6443);
    ServiceResolver resolver =
        ServiceResolver.withLoopback(() -> self, new ClusterAddresses(new Known("")));

    assertThat(resolver.resolve("default", "kubernetes", 443)).isEqualTo(self);
    assertThatThrownBy(() -> resolver.resolve("other", "kubernetes", 443))
        .hasMessage("service \"kubernetes\" not found");
  }
}
