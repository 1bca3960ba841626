package dev.keelson.controller.aggregation;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.controller.aggregation.AvailabilityController.Finding;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.server.metrics.ApiServiceMeters;
import dev.keelson.testing.LocalApi;
import dev.keelson.webhook.ServiceSource;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AvailabilityControllerTest {

  private static final String VERSION = "apiregistration.k8s.io/v1";
  private static final String NAME = "v1.shop.example.com";
  private static final String CLUSTER_IP =
      "{'spec':{'type':'ClusterIP','ports':[{'name':'other','port':80},{'name':'api','port':443}]}}";
  private static final String READY =
      "{'endpoints':[{'addresses':['10.0.0.1']}],'ports':[{'name':'api','port':8443}]}";

  private final LocalApi api;
  private final ApiServices services = new ApiServices();
  private final AtomicReference<Optional<String>> service =
      new AtomicReference<>(Optional.of(CLUSTER_IP));
  private final List<String> slices = new ArrayList<>(List.of(READY));
  private final AtomicReference<String> failure = new AtomicReference<>("");
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger judged = new AtomicInteger();
  private final LocalResourceClient client;
  private final AvailabilityController controller;

  AvailabilityControllerTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
    controller =
        new AvailabilityController(
            services,
            client,
            new Source(),
            any -> {
              asked.incrementAndGet();
              if (!failure.get().isEmpty()) {
                throw new IOException(failure.get());
              }
            },
            new ApiServiceMeters(meters),
            api.clock());
  }

  @AfterEach
  void close() {
    controller.close();
    api.close();
  }

  private static ApiObject object(String json) {
    return new ApiObject(
        (MapNode)
            ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  private final class Source implements ServiceSource {
    @Override
    public Optional<ApiObject> service(String namespace, String name) {
      judged.incrementAndGet();
      if (service.get().equals(Optional.of("broken"))) {
        throw new ApiException(Reason.TIMEOUT, "store away");
      }
      return service.get().map(AvailabilityControllerTest::object);
    }

    @Override
    public List<ApiObject> endpointSlices(String namespace, String name) {
      if (slices.contains("broken")) {
        throw new ApiException(Reason.TIMEOUT, "store away");
      }
      return slices.stream().map(AvailabilityControllerTest::object).toList();
    }
  }

  /** Creates the APIService if it is not there, and reads it. */
  private ApiService registered() {
    api.create(
        VERSION,
        "apiservices",
        "",
        """
        {'metadata':{'name':'v1.shop.example.com'},'spec':{'group':'shop.example.com',
         'version':'v1','groupPriorityMinimum':10,'versionPriority':10,
         'insecureSkipTLSVerify':true,'service':{'namespace':'default','name':'shop'}}}
        """);
    return read();
  }

  private ApiService read() {
    ApiObject found = api.get(VERSION, "apiservices", "", NAME);
    ApiService read = ApiService.of(found, found.meta().resourceVersion());
    services.put(read);
    services.publish(version -> ApiServices.Origin.NOT_SERVED);
    return read;
  }

  private MapNode condition() {
    return ApiService.condition(api.get(VERSION, "apiservices", "", NAME));
  }

  private Finding judged() throws InterruptedException {
    return controller.judge(
        ApiService.of(
            object(
                "{'metadata':{'name':'v1.shop.example.com'},'spec':{'group':'shop.example.com',"
                    + "'version':'v1','service':{'namespace':'default','name':'shop'}}}"),
            "1"));
  }

  @Test
  void judge_saysWhatIsMissing() throws InterruptedException {
    assertThat(judged()).isEqualTo(new Finding("True", "Passed", "all checks passed"));

    slices.set(0, READY.replace("'api'", "'web'"));
    assertThat(judged())
        .isEqualTo(
            Finding.no(
                "MissingEndpoints",
                "endpointslices for service/shop in \"default\" have no addresses with port name"
                    + " \"api\""));
    slices.set(
        0,
        READY.replace(
            "'addresses':['10.0.0.1']", "'addresses':['10.0.0.1'],'conditions':{'ready':false}"));
    assertThat(judged().reason()).isEqualTo("MissingEndpoints");
    slices.add(READY);
    assertThat(judged().status()).isEqualTo("True");

    slices.clear();
    assertThat(judged())
        .isEqualTo(
            Finding.no(
                "EndpointsNotFound", "cannot find endpointslices for service/shop in \"default\""));
    slices.add("broken");
    assertThat(judged())
        .isEqualTo(
            new Finding(
                "Unknown",
                "EndpointsAccessError",
                "service/shop in \"default\" cannot be checked due to: store away"));

    service.set(Optional.of(CLUSTER_IP.replace("443", "444")));
    assertThat(judged())
        .isEqualTo(
            Finding.no(
                "ServicePortError", "service/shop in \"default\" is not listening on port 443"));
    service.set(Optional.empty());
    assertThat(judged())
        .isEqualTo(Finding.no("ServiceNotFound", "service/shop in \"default\" is not present"));
    service.set(Optional.of("broken"));
    assertThat(judged())
        .isEqualTo(
            new Finding(
                "Unknown",
                "ServiceAccessError",
                "service/shop in \"default\" cannot be checked due to: store away"));
  }

  @Test
  void judge_ofOtherTypesOfServices_asksTheServerAlone() throws InterruptedException {
    service.set(Optional.of("{'spec':{'type':'ExternalName','externalName':'x'}}"));
    slices.clear();

    assertThat(judged().status()).isEqualTo("True");
  }

  @Test
  void judge_asksFiveTimes_andOneSuccessIsEnough() throws InterruptedException {
    failure.set("failing or missing response from https://x/: bad status from https://x/: 500");

    assertThat(judged()).isEqualTo(Finding.no("FailedDiscoveryCheck", failure.get()));
    assertThat(asked).hasValue(5);
  }

  @Test
  void start_checksWhatIsRegistered_andAgainAfterChanges() {
    service.set(Optional.empty());
    ApiService unused = registered();
    controller.start();
    assertEventually(() -> assertThat(condition().text("reason")).isEqualTo("ServiceNotFound"));
    String since = condition().text("lastTransitionTime");
    assertThat(since).isNotEmpty();

    service.set(Optional.of(CLUSTER_IP));
    controller.serviceChanged("elsewhere");
    controller.serviceChanged("default");

    assertEventually(() -> assertThat(condition().text("status")).isEqualTo("True"));
    assertThat(condition().text("reason")).isEqualTo("Passed");
    assertThat(read().available()).isTrue();
  }

  private List<Double> unavailable() {
    return meters.find("aggregator_unavailable_apiservice").tag("name", NAME).gauges().stream()
        .map(Gauge::value)
        .toList();
  }

  @Test
  void metrics_tellWhatIsUnavailable_andCountWhatBecomesSo() {
    ApiService unused = registered();
    controller.start();
    assertEventually(() -> assertThat(unavailable()).containsExactly(0.0));
    assertEventually(() -> assertThat(read().available()).isTrue());

    service.set(Optional.empty());
    controller.serviceChanged("default");

    assertEventually(() -> assertThat(unavailable()).containsExactly(1.0));
    // the snapshot still says that it is available: the same loss is not another one
    assertEventually(() -> assertThat(condition().text("status")).isEqualTo("False"));
    for (int i = 0; i < 2; i++) {
      // one at a time: when the second begins, the first is complete
      int before = judged.get();
      controller.serviceChanged("default");
      assertEventually(() -> assertThat(judged.get()).isGreaterThan(before));
    }
    assertThat(
            meters
                .get("aggregator_unavailable_apiservice_total")
                .tags("name", NAME, "reason", "ServiceNotFound")
                .counter()
                .count())
        .isEqualTo(1);

    services.remove(NAME);
    services.publish(version -> ApiServices.Origin.NOT_SERVED);

    assertThat(unavailable()).isEmpty();
  }

  @Test
  void localOne_thatWasRemote_isMarkedAsLocal() {
    failure.set("away");
    ApiService unused = registered();
    controller.start();
    assertEventually(
        () -> assertThat(condition().text("reason")).isEqualTo("FailedDiscoveryCheck"));

    assertThat(
            client.change(
                AutoRegistration.API_SERVICES,
                "",
                NAME,
                found ->
                    found.with(
                        "spec",
                        found
                            .root()
                            .map("spec")
                            .without("service")
                            .without("insecureSkipTLSVerify"))))
        .isPresent();
    unused = read();

    assertEventually(() -> assertThat(condition().text("reason")).isEqualTo("Local"));
    assertThat(condition().text("status")).isEqualTo("True");
    assertThat(condition().text("message")).isEqualTo("Local APIServices are always available");
  }

  @Test
  void with_keepsTheTimeOfTheTransition_andOtherConditions() {
    ApiObject before =
        object(
            "{'spec':{'service':{}},'status':{'conditions':[{'type':'Other','status':'True'},"
                + "{'type':'Available','status':'True','lastTransitionTime':'then',"
                + "'reason':'Passed','message':'all checks passed'}]}}");

    assertThat(
            AvailabilityController.with(
                before, new Finding("True", "Passed", "all checks passed"), "now"))
        .isSameAs(before);
    MapNode changed =
        ApiService.condition(
            AvailabilityController.with(before, Finding.no("ServiceNotFound", "m"), "now"));
    assertThat(changed.text("lastTransitionTime")).isEqualTo("now");
    assertThat(
            AvailabilityController.with(before, Finding.no("ServiceNotFound", "m"), "now")
                .root()
                .map("status")
                .items("conditions"))
        .hasSize(2);
    assertThat(AvailabilityController.with(before, Finding.LOCAL, "now")).isSameAs(before);
  }
}
