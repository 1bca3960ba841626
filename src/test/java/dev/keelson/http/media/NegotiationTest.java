package dev.keelson.http.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Query;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.testing.CustomTypes;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Expected answers: derived by hand from the contract and the content negotiation of Kubernetes
 * 1.36, not captured from a server.
 */
@Timeout(120)
class NegotiationTest {

  private static final ResourceDefinition WIDGETS =
      CustomTypes.rows(CustomTypes.widgets("'schema':{'openAPIV3Schema':{'type':'object'}}"))
          .getFirst();

  private static final String TYPES =
      "application/json, application/yaml, application/vnd.kubernetes.protobuf";

  static ApiRequest request(Map<String, List<String>> headers) {
    return new ApiRequest("GET", "/", Query.NONE, headers, new byte[0], List.of(), "127.0.0.1");
  }

  private static ApiRequest accepting(String... values) {
    return request(Map.of("accept", List.of(values)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          application/json                                              | application/json
          application/yaml                                              | application/yaml
          application/vnd.kubernetes.protobuf                           | application/vnd.kubernetes.protobuf
          application/vnd.cluster.protobuf                              | application/vnd.cluster.protobuf
          Application/VND.Kubernetes.Protobuf                           | application/vnd.kubernetes.protobuf
          application/vnd.kubernetes.protobuf,application/json          | application/vnd.kubernetes.protobuf
          application/vnd.kubernetes.protobuf, */*                      | application/vnd.kubernetes.protobuf
          */*                                                           | application/json
          *                                                             | application/json
          application/*                                                 | application/json
          */*, application/yaml                                         | application/yaml
          application/*, application/vnd.cluster.protobuf               | application/vnd.cluster.protobuf
          text/html,application/xml;q=0.9,*/*;q=0.8                     | application/json
          application/json;q=0.1, application/vnd.kubernetes.protobuf   | application/vnd.kubernetes.protobuf
          application/vnd.kubernetes.protobuf;q=0.5, application/yaml;q=0.6 | application/yaml
          application/vnd.kubernetes.protobuf;stream=watch              | application/vnd.kubernetes.protobuf
          application/json;charset=utf-8                                | application/json
          application/json;q=0, */*                                     | application/yaml
          application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io, application/json | application/json
          application/json;as=Table;v=v1;g=apps,application/vnd.kubernetes.protobuf         | application/vnd.kubernetes.protobuf
          application/json;as=Table;v=v2;g=meta.k8s.io,application/yaml                     | application/yaml
          application/json;as=PodList;v=v1;g=meta.k8s.io,application/yaml                   | application/yaml
          application/json;stream=other,application/yaml                                    | application/yaml
          application/yaml;stream=watch,application/vnd.cluster.protobuf                    | application/vnd.cluster.protobuf
          application/cbor, application/yaml                            | application/yaml
          application/json;as=;v=v1,application/yaml                                        | application/yaml
          application/json;v=v1,application/yaml                                            | application/yaml
          application/json;g=meta.k8s.io,application/yaml                                   | application/yaml
          unknown/thing,application/json; pretty=1                      | application/json
          application/json; export=true                                 | application/json
          application/json;profile=minimal;other=1                      | application/json
          application/json;sv=v1                                        | application/json
          application/json;sv=v9, application/yaml                      | application/yaml
          application/json; q=0.5 , application/yaml ; q = 1            | application/yaml
          application/json;q=7, application/yaml                        | application/json
          json, application/yaml                                        | application/yaml
          text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7 | application/json
          text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2          | application/json
          """)
  void accept_isAnsweredInTheBestOffer(String accept, String mediaType) {
    assertThat(Negotiation.accepted(accepting(accept)).mediaType()).isEqualTo(mediaType);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          application/vnd.kubernetes.protobuf,application/json                           | application/json
          application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1 | application/vnd.kubernetes.protobuf
          application/yaml                                                               | application/yaml
          */*                                                                            | application/json
          """)
  void accept_ofCustomObjectsHasNoProtobuf(String accept, String mediaType) {
    assertThat(Negotiation.accepted(accepting(accept), WIDGETS).mediaType()).isEqualTo(mediaType);
  }

  @Test
  void accept_ofCustomObjectsInProtobufAloneIsNotAcceptable() {
    ApiRequest request = accepting("application/vnd.kubernetes.protobuf");

    assertThatThrownBy(() -> Negotiation.check(request, WIDGETS))
        .isInstanceOf(ApiException.class)
        .hasMessageStartingWith("only the following media types are accepted: application/json");
    assertThatThrownBy(() -> Negotiation.acceptedForWatch(request, WIDGETS))
        .isInstanceOf(ApiException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          application/json;as=Table;v=v1;g=meta.k8s.io,application/json                         | Table[apiVersion=meta.k8s.io/v1]
          application/json;as=Table;v=v1beta1;g=meta.cluster,application/json                   | Table[apiVersion=meta.cluster/v1beta1]
          application/yaml;as=Table;v=v1;g=meta.k8s.io                                          | Table[apiVersion=meta.k8s.io/v1]
          application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1       | Metadata[apiVersion=meta.k8s.io/v1, list=false]
          application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1                 | Metadata[apiVersion=meta.k8s.io/v1beta1, list=true]
          */*;as=Table;v=v1;g=meta.k8s.io                                                       | Table[apiVersion=meta.k8s.io/v1]
          """)
  void accept_mayAskForAView(String accept, String view) {
    assertThat(Negotiation.accepted(accepting(accept)).view()).hasToString(view);
    assertThat(Negotiation.acceptedForError(accepting(accept)).view()).isEqualTo(View.Whole.WHOLE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          application/json                                             | application/json
          */*                                                          | application/json
          application/json;stream=watch                                | application/json;stream=watch
          application/vnd.kubernetes.protobuf                          | application/vnd.kubernetes.protobuf;stream=watch
          application/vnd.kubernetes.protobuf;stream=watch             | application/vnd.kubernetes.protobuf;stream=watch
          application/yaml,application/json                            | application/json
          application/json;as=Table;v=v1;g=meta.k8s.io                 | application/json
          """)
  void watch_isNamedAStreamWhereThatIsUsual(String accept, String mediaType) {
    assertThat(Negotiation.acceptedForWatch(accepting(accept)).mediaType()).isEqualTo(mediaType);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          application/yaml                                                 | application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch
          application/yaml;as=Table;g=meta.k8s.io;v=v1                     | application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch
          application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1  | application/json, application/yaml, application/vnd.kubernetes.protobuf
          application/json;g=meta.k8s.io;v=v1                              | application/json, application/yaml, application/vnd.kubernetes.protobuf
          application/json;stream=other                                    | application/json, application/yaml, application/vnd.kubernetes.protobuf
          """)
  void watch_ofWhatIsNotOffered_isRefused(String accept, String types) {
    assertThatThrownBy(() -> Negotiation.acceptedForWatch(accepting(accept)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_ACCEPTABLE))
        .hasMessage("only the following media types are accepted: " + types);
  }

  @Test
  void watch_thatBeginsWithTheList_isNoTable() {
    String table = "application/json;as=Table;v=v1;g=meta.k8s.io";

    assertThatThrownBy(() -> Negotiation.acceptedForWatch(listing(table)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_ACCEPTABLE))
        .hasMessage("only the following media types are accepted: " + TYPES);
    assertThat(Negotiation.acceptedForWatch(listing(table + ",application/json")))
        .isEqualTo(Representation.JSON);
    assertThat(
            Negotiation.acceptedForWatch(
                    listing("application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"))
                .view())
        .isInstanceOf(View.Metadata.class);
  }

  private static ApiRequest listing(String accept) {
    return new ApiRequest(
        "GET",
        "/",
        Query.parse("watch=1&sendInitialEvents=true&allowWatchBookmarks=true"),
        Map.of("accept", List.of(accept)),
        new byte[0],
        List.of(),
        "127.0.0.1");
  }

  @Test
  void accept_inSeveralLines_isOneList() {
    ApiRequest request = accepting("text/plain", "application/vnd.cluster.protobuf");

    assertThat(Negotiation.accepted(request).format()).isEqualTo(Format.PROTOBUF);
  }

  @Test
  void accept_missingOrEmpty_isJson() {
    assertThat(Negotiation.accepted(request(Map.of())).format()).isEqualTo(Format.JSON);
    assertThat(Negotiation.accepted(accepting("")).format()).isEqualTo(Format.JSON);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "application/vnd.other.protobuf",
        "application/protobuf",
        "application/json;q=0",
        "application/json;as=Table;v=v1",
        "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
        "nonsense",
        ";;;",
        "/"
      })
  void accept_ofNothingOffered_isRefusedButErrorsAreJson(String accept) {
    assertThatThrownBy(() -> Negotiation.accepted(accepting(accept)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_ACCEPTABLE))
        .hasMessage("only the following media types are accepted: " + TYPES);
    assertThat(Negotiation.acceptedForError(accepting(accept)).format()).isEqualTo(Format.JSON);
  }

  @Test
  void error_isInTheFormatOfTheAnswer() {
    assertThat(
            Negotiation.acceptedForError(accepting("application/vnd.cluster.protobuf")).mediaType())
        .isEqualTo("application/vnd.cluster.protobuf");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          -, JSON
          application/json, JSON
          application/json; charset=utf-8, JSON
          application/yaml, YAML
          application/vnd.kubernetes.protobuf, PROTOBUF
          application/vnd.kubernetes.protobuf;type=x, PROTOBUF
          application/vnd.cluster.protobuf, PROTOBUF
          """)
  void contentType_tellsTheFormatOfTheBody(String type, Format format) {
    ApiRequest request = request(type == null ? Map.of() : Map.of("content-type", List.of(type)));

    assertThat(Negotiation.sent(request)).isEqualTo(format);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "*/*", "json"})
  void contentType_unknown_isNotAcceptable(String type) {
    ApiRequest request = request(Map.of("content-type", List.of(type)));

    assertThatThrownBy(() -> Negotiation.sent(request))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_ACCEPTABLE))
        .hasMessageEndingWith(TYPES);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          application/json; charset=utf-8, ü
          application/json; charset="UTF-8", ü
          application/json; charset=iso-8859-1, u
          application/yaml; charset=windows-1252, u
          application/vnd.kubernetes.protobuf; charset=x, ü
          """)
  void charset_thatMakesNoDifference_isTaken(String type, String body) {
    assertThat(Negotiation.sentType(sending(type, body))).isEqualTo(type.split(";", -1)[0]);
    assertThat(Negotiation.sent(sending(type, body)).mediaTypes()).contains(type.split(";", -1)[0]);
  }

  @Test
  void charset_thatIsNotUtf8_isNotAcceptable() {
    ApiRequest request = sending("application/json; charset=ISO-8859-1", "ü");

    assertThatThrownBy(() -> Negotiation.sent(request))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_ACCEPTABLE))
        .hasMessage("the body of the request is in the charset iso-8859-1, but must be in utf-8");
  }

  private static ApiRequest sending(String type, String body) {
    return new ApiRequest(
        "POST",
        "/",
        Query.NONE,
        Map.of("content-type", List.of(type)),
        body.getBytes(StandardCharsets.UTF_8),
        List.of(),
        "127.0.0.1");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          pretty=true, -, -, true
          pretty=1, -, -, true
          pretty=false, curl/8.0, -, false
          pretty=0, curl/8.0, -, false
          pretty=nonsense, curl/8.0, -, false
          pretty=, curl/8.0, -, true
          pretty=, kubectl/v1.32, -, false
          -, curl/8.0, -, true
          -, Wget/1.21, -, true
          -, Mozilla/5.0 (X11), -, true
          -, kubectl/v1.32, -, false
          -, my-curl, -, false
          -, -, application/json;pretty=1, true
          pretty=false, -, application/json;pretty=1, true
          -, -, 'unknown/thing,application/json; pretty=1', true
          -, -, application/json;pretty=0, false
          -, -, application/json, false
          """)
  void pretty_isAskedForOrGuessed(
      @Nullable String query, @Nullable String agent, @Nullable String accept, boolean pretty) {
    Map<String, List<String>> headers = new HashMap<>();
    if (agent != null) {
      headers.put("user-agent", List.of(agent));
    }
    if (accept != null) {
      headers.put("accept", List.of(accept));
    }
    Query parsed = query == null ? Query.NONE : Query.parse(query);

    assertThat(
            Negotiation.pretty(
                new ApiRequest("GET", "/", parsed, headers, new byte[0], List.of(), "127.0.0.1")))
        .isEqualTo(pretty);
  }
}
