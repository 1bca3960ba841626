package dev.keelson.http.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.node.Locations.Place;
import dev.keelson.http.node.NodeClients.Way;
import dev.keelson.http.relay.ProxiedPath;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocationsTest {

  private static final String POD =
      "{'metadata':{'name':'p','namespace':'n'},'spec':{'containers':[{'name':'a'},"
          + "{'name':'b','ports':[{'containerPort':8080},{'containerPort':81}]}]},"
          + "'status':{'podIPs':[{'ip':'%s'},{'ip':'10.1.0.6'}]}}";

  private final KnownCluster cluster = new KnownCluster();
  private final Locations locations = locations(false);

  private Locations locations(boolean local) {
    return new Locations(
        cluster,
        new Kubelets(List.of("Hostname", "InternalIP"), 10250),
        new AddressRule(local),
        new Random(1));
  }

  private static String shown(Place place) {
    return place.way() + " " + Passing.authority(place.target());
  }

  private String outcome(Function<String, Place> of, String id) {
    try {
      return shown(of.apply(id));
    } catch (ApiException e) {
      return e.reason() + " " + e.text();
    }
  }

  private void node(String status) {
    cluster.put("nodes", "n1", "{'metadata':{'name':'n1'},'status':" + status + "}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "p|PLAIN 10.1.0.5:8080",
        "p:90|PLAIN 10.1.0.5:90",
        "http:p:90|PLAIN 10.1.0.5:90",
        "https:p:|SECURE 10.1.0.5:8080",
        "https:p:443|SECURE 10.1.0.5:443",
        "ftp:p:90|BAD_REQUEST invalid pod request \"ftp:p:90\"",
        "a:b:c:d|BAD_REQUEST invalid pod request \"a:b:c:d\"",
        ":90|BAD_REQUEST invalid pod request \":90\"",
        "q|NOT_FOUND pods \"q\" not found",
      })
  void pod_isReachedAtItsFirstAddress(String id, String expected) {
    cluster.put("pods", "p", POD.formatted("10.1.0.5"));

    assertThat(outcome(name -> locations.pod("n", name), id)).isEqualTo(expected);
  }

  @Test
  void podWithoutPorts_isReachedAtThatOfItsScheme() {
    cluster.put(
        "pods",
        "p",
        "{'spec':{'containers':[{'name':'a'}]},'status':{'podIPs':[{'ip':'fd00::1'}]}}");

    assertThat(shown(locations.pod("n", "p"))).isEqualTo("PLAIN [fd00::1]:80");
    assertThat(shown(locations.pod("n", "https:p:"))).isEqualTo("SECURE [fd00::1]:443");
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1", "169.254.169.254", "0.0.0.0", "224.0.0.1", "::1", "fe80::1", "''"})
  void podAtALocalAddress_isRefused(String ip) {
    cluster.put("pods", "p", POD.formatted(ip));

    assertThat(outcome(name -> locations.pod("n", name), "p"))
        .isEqualTo("BAD_REQUEST address not allowed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'addresses':[{'type':'InternalIP','address':'10.0.0.1'}]}|KUBELET 10.0.0.1:10250",
        "{'addresses':[{'type':'InternalIP','address':'10.0.0.1'},"
            + "{'type':'Hostname','address':'10.0.0.2'}],"
            + "'daemonEndpoints':{'kubeletEndpoint':{'Port':1234}}}|KUBELET 10.0.0.2:1234",
        "{'addresses':[{'type':'ExternalIP','address':'10.0.0.1'}]}|"
            + "UNKNOWN no preferred addresses found; known addresses: [{ExternalIP 10.0.0.1}]",
        "{}|UNKNOWN no preferred addresses found; known addresses: []",
        "{'addresses':[{'type':'InternalIP','address':'127.0.0.1'}]}|"
            + "BAD_REQUEST address not allowed",
        "{'addresses':[{'type':'InternalIP','address':'169.254.169.254'}]}|"
            + "BAD_REQUEST address not allowed",
        "{'addresses':[{'type':'Hostname','address':'localhost'}]}|BAD_REQUEST address not allowed",
        "{'addresses':[{'type':'Hostname','address':'no.such.invalid'}]}|"
            + "UNKNOWN dial tcp: lookup no.such.invalid: no such host",
      })
  void kubelet_isReachedAtThePreferredAddress(String status, String expected) {
    node(status);

    assertThat(outcome(node -> locations.kubelet(cluster.node(node)), "n1")).isEqualTo(expected);
  }

  @Test
  void kubelet_mayHaveALocalAddress_ifThatIsAllowed() {
    node("{'addresses':[{'type':'InternalIP','address':'127.0.0.1'}]}");

    assertThat(shown(locations(true).kubelet(cluster.node("n1"))))
        .isEqualTo("KUBELET 127.0.0.1:10250");
    node("{'addresses':[{'type':'InternalIP','address':'224.0.0.1'}]}");
    assertThatThrownBy(() -> locations(true).kubelet(cluster.node("n1")))
        .hasMessage("address not allowed");
  }

  @Test
  void hostname_isTheLabelOfNodesWithoutOne() {
    cluster.put("nodes", "n1", "{'metadata':{'labels':{'kubernetes.io/hostname':'10.0.0.9'}}}");

    assertThat(shown(locations.kubelet(cluster.node("n1")))).isEqualTo("KUBELET 10.0.0.9:10250");
  }

  @Test
  void webSockets_areTakenByKubeletsThatDeclareThem() {
    node(
        "{'addresses':[{'type':'InternalIP','address':'10.0.0.1'}],"
            + "'declaredFeatures':['ExtendWebSocketsToKubelet']}");

    assertThat(locations.kubelet(cluster.node("n1")).webSockets()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n1|KUBELET 10.0.0.1:10250",
        "n1:10250|KUBELET 10.0.0.1:10250",
        "https:n1:10250|KUBELET 10.0.0.1:10250",
        "n1:9100|PLAIN 10.0.0.1:9100",
        "https:n1:9100|SECURE 10.0.0.1:9100",
        "x:y:z:1|BAD_REQUEST invalid node request \"x:y:z:1\"",
        "n2|NOT_FOUND nodes \"n2\" not found",
      })
  void node_isTheKubeletOrAnotherPort(String id, String expected) {
    node("{'addresses':[{'type':'InternalIP','address':'10.0.0.1'}]}");

    assertThat(outcome(locations::node, id)).isEqualTo(expected);
  }

  private void service() {
    cluster
        .put("services", "s", "{'spec':{'ports':[{'name':'web','port':80},{'port':81}]}}")
        .put("pods", "p", POD.formatted("10.1.0.5"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "s:web|PLAIN 10.1.0.5:8080",
        "s:80|PLAIN 10.1.0.5:8080",
        "https:s:web|SECURE 10.1.0.5:8080",
        "s|SERVICE_UNAVAILABLE no endpoints available for service \"s\"",
        "s:82|SERVICE_UNAVAILABLE no service port 82 found for service \"s\"",
        "s:other|SERVICE_UNAVAILABLE no endpoints available for service \"s:other\"",
        "ftp:s:80|BAD_REQUEST invalid service request \"ftp:s:80\"",
        "t|NOT_FOUND services \"t\" not found",
      })
  void service_isAReadyEndpoint(String id, String expected) {
    service();
    cluster.slice(
        "{'ports':[{'name':'web','port':8080}],'endpoints':["
            + "{'addresses':['10.1.0.9'],'conditions':{'ready':false},"
            + "'targetRef':{'namespace':'n','name':'p'}},"
            + "{'addresses':['10.1.0.5'],'targetRef':{'namespace':'n','name':'p'}}]}");

    assertThat(outcome(name -> locations.service("n", name), id)).isEqualTo(expected);
  }

  @Test
  void endpointsOfNoPodOfTheNamespace_areSkipped() {
    service();
    cluster.slice(
        "{'ports':[{'name':'web','port':8080}],'endpoints':["
            + "{'addresses':['10.9.9.9']},"
            + "{'addresses':['10.9.9.9'],'targetRef':{'namespace':'n','name':'p'}},"
            + "{'addresses':['10.1.0.5'],'targetRef':{'namespace':'m','name':'p'}},"
            + "{'addresses':['10.1.0.5'],'targetRef':{'namespace':'n','name':'gone'}}]}");

    assertThatThrownBy(() -> locations.service("n", "s:web"))
        .hasMessage("no endpoints available for service \"s:web\"")
        .extracting(e -> ((ApiException) e).reason())
        .isEqualTo(Reason.SERVICE_UNAVAILABLE);
  }

  @Test
  void endpoints_standForMissingSlices() {
    service();
    cluster.put(
        "endpoints",
        "s",
        "{'subsets':[{'addresses':[{'ip':'10.1.0.6','targetRef':{'namespace':'n','name':'p'}}],"
            + "'ports':[{'name':'web','port':8443}]}]}");

    assertThat(shown(locations.service("n", "https:s:web"))).isEqualTo("SECURE 10.1.0.6:8443");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "['a']|''|a",
        "['a','b']|b|b",
        "['a','b']|i|i",
        "['a','b']|e|e",
        "['a','b']|''|a container name must be specified for pod p, choose one of: [i a b e]",
        "[]|''|a container name must be specified for pod p",
        "['a']|c|container c is not valid for pod p",
      })
  void container_isTheOnlyOneOrNamed(String names, String asked, String expected) {
    String containers = names.replaceAll("'(.)'", "{'name':'$1'}");
    var pod =
        KnownCluster.read(
            "{'metadata':{'name':'p'},'spec':{'containers':"
                + containers
                + ",'initContainers':[{'name':'i'}],'ephemeralContainers':[{'name':'e'}]}}");

    String found;
    try {
      found = Containers.chosen(pod, asked);
    } catch (ApiException e) {
      found = e.text();
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void place_ofAnUnscheduledPod_isAnError() {
    assertThatThrownBy(() -> Containers.host(KnownCluster.read("{'metadata':{'name':'p'}}")))
        .hasMessage("pod p does not have a host assigned");
    assertThat(Way.values()).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|''",
        "/|/",
        "/a/b|/a/b",
        "/a/b/|/a/b/",
        "/a//b|/a/b",
        "/../../etc/passwd|/etc/passwd",
        "/a/./../b/..|/",
        "/a/../|/",
      })
  void path_staysBelowTheProxy(String path, String expected) {
    assertThat(ProxiedPath.clean(path)).isEqualTo(expected);
  }
}
