package dev.keelson.audit.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.Verb;
import dev.keelson.audit.Events;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lines in the shape that Kubernetes' documentation and its own tests show. */
class EventJsonTest {

  private static final Instant DONE = Instant.parse("2026-03-04T05:06:08.000001Z");

  @Test
  void everyField_hasItsPlaceAndItsForm() {
    Event event = full();

    assertThat(new String(event.json(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse",\
            "auditID":"a-1","stage":"ResponseComplete",\
            "requestURI":"/api/v1/namespaces/ns/pods?limit=500\\u0026x=\\u003cy\\u003e",\
            "verb":"create",\
            "user":{"username":"admin","uid":"u-1","groups":["g1","g2"],\
            "extra":{"a":["1"],"b":["2","3"]}},\
            "impersonatedUser":{"username":"jane"},\
            "authenticationMetadata":{"impersonationConstraint":"impersonate:user-info"},\
            "sourceIPs":["203.0.113.7","10.0.0.1"],"userAgent":"kubectl/v1.36.0",\
            "objectRef":{"resource":"pods","namespace":"ns","name":"p","uid":"u-2",\
            "apiVersion":"v1","resourceVersion":"7"},\
            "responseStatus":{"metadata":{},"code":201},\
            "requestObject":{"a":1},"responseObject":{"b":2},\
            "requestReceivedTimestamp":"2026-03-04T05:06:07.080900Z",\
            "stageTimestamp":"2026-03-04T05:06:08.000001Z",\
            "annotations":{"authorization.k8s.io/decision":"allow",\
            "authorization.k8s.io/reason":""}}\
            """);
  }

  @Test
  void whatIsUnknown_isLeftOut() {
    Event event =
        new Event(
            new EventFields(
                Level.METADATA,
                Stage.REQUEST_RECEIVED,
                new RequestFacts("id", "/", "get", null, List.of(), "", Events.TIME),
                null,
                null,
                null,
                null,
                null,
                Events.TIME,
                Map.of()));

    assertThat(new String(event.json(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"id",\
            "stage":"RequestReceived","requestURI":"/","verb":"get","user":{},\
            "requestReceivedTimestamp":"2026-03-04T05:06:07.080900Z",\
            "stageTimestamp":"2026-03-04T05:06:07.080900Z"}\
            """);
  }

  @Test
  void strings_areEscapedAsGoDoes() {
    assertThat(string("a\"b\\c\n\r\t\b\f\u0001<>&\u2028\u2029é€😀\ud800"))
        .isEqualTo(
            "\"a\\\"b\\\\c\\n\\r\\t\\b\\f\\u0001\\u003c\\u003e\\u0026\\u2028\\u2029é€😀\\ufffd\"");
  }

  @Test
  void json_isEncodedOnce() {
    Event event = Events.named("x");

    assertThat(event.json()).isSameAs(event.json());
  }

  @Test
  void truncated_hasNoObjectsAndSaysSo() {
    assertThat(new String(full().truncated().json(), StandardCharsets.UTF_8))
        .doesNotContain("requestObject", "responseObject")
        .contains("\"audit.k8s.io/truncated\":\"true\"", "\"authorization.k8s.io/decision\"");
  }

  @Test
  void list_holdsItemsWithoutKindAndVersion() {
    String list =
        new String(
            EventList.of(List.of(Events.named("one"), Events.named("two"))),
            StandardCharsets.UTF_8);

    assertThat(list)
        .startsWith(
            "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\",\"metadata\":{},"
                + "\"items\":[{\"level\":\"Metadata\",\"auditID\":\"one\"")
        .contains("},{\"level\":\"Metadata\",\"auditID\":\"two\"")
        .endsWith("}]}");
  }

  @Test
  void longUserAgent_isTruncated() {
    RequestFacts facts =
        new RequestFacts("id", "/", "get", null, List.of(), "a".repeat(1025), Events.TIME);

    assertThat(facts.userAgent()).isEqualTo("a".repeat(1024) + "...TRUNCATED");
  }

  static Event full() {
    RequestInfo.Resource info =
        new RequestInfo.Resource(
            "/api/v1/namespaces/ns/pods",
            Verb.CREATE,
            new GroupVersion("", "v1"),
            "ns",
            "pods",
            "",
            "",
            "",
            false);
    return new Event(
        new EventFields(
            Level.REQUEST_RESPONSE,
            Stage.RESPONSE_COMPLETE,
            new RequestFacts(
                "a-1",
                "/api/v1/namespaces/ns/pods?limit=500&x=<y>",
                "create",
                new UserInfo(
                    "admin",
                    "u-1",
                    List.of("g1", "g2"),
                    Map.of("b", List.of("2", "3"), "a", List.of("1"))),
                List.of("203.0.113.7", "10.0.0.1"),
                "kubectl/v1.36.0",
                Events.TIME),
            new Impersonated(
                new UserInfo("jane", "", List.of(), Map.of()), "impersonate:user-info"),
            ObjectReference.of(info).completedBy(new ObjectIdentity("other", "p", "u-2", "7")),
            ResponseStatus.of(201),
            "{\"a\":1}".getBytes(StandardCharsets.UTF_8),
            "{\"b\":2}".getBytes(StandardCharsets.UTF_8),
            DONE,
            Map.of("authorization.k8s.io/reason", "", "authorization.k8s.io/decision", "allow")));
  }

  private static String string(String value) {
    return new String(new JsonBuffer(1).string(value).toBytes(), StandardCharsets.UTF_8);
  }
}
