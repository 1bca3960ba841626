package dev.keelson.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncodingSpanTest {

  /** The first is that of Kubernetes' test/integration/apiserver/tracing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "/api/v1/nodes|application/vnd.kubernetes.protobuf"
            + "|{\"encodeGV\":\"v1\",\"encoder\":\"protobuf\",\"name\":\"versioning\"}",
        "/apis/apps/v1/deployments/d|application/json"
            + "|{\"encodeGV\":\"apps/v1\",\"encoder\":\"{\\\"name\\\":\\\"json\\\",\\\"pretty\\\":\\\"false\\\","
            + "\\\"strict\\\":\\\"false\\\",\\\"yaml\\\":\\\"false\\\"}\",\"name\":\"versioning\"}",
        "/apis/apps/v1|application/yaml"
            + "|{\"encodeGV\":\"apps/v1\",\"encoder\":\"{\\\"name\\\":\\\"json\\\",\\\"pretty\\\":\\\"false\\\","
            + "\\\"strict\\\":\\\"false\\\",\\\"yaml\\\":\\\"true\\\"}\",\"name\":\"versioning\"}",
        "/openapi/v3|application/vnd.kubernetes.protobuf"
            + "|{\"encoder\":\"protobuf\",\"name\":\"versioning\"}",
      })
  void encoder_isThatOfTheVersionAndTheFormat(String path, String mediaType, String encoder) {
    assertThat(EncodingSpan.encoder(path, mediaType)).isEqualTo(encoder);
  }
}
