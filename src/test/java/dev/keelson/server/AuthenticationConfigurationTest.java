package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.authn.AnonymousRule;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.authn.oidc.Issuer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthenticationConfigurationTest {

  private static final String WHOLE =
      """
      apiVersion: apiserver.config.k8s.io/v1beta1
      kind: AuthenticationConfiguration
      jwt:
      - issuer:
          url: https://a.example
          audiences: [kubernetes, console]
          audienceMatchPolicy: MatchAny
        claimValidationRules:
        - {claim: hd, requiredValue: example.org}
        claimMappings:
          username: {claim: email, prefix: ""}
          groups: {claim: groups, prefix: "a:"}
          uid: {claim: sub}
      - issuer:
          url: https://b.example/x
          discoveryURL: https://inside.example/.well-known/openid-configuration
          audiences: [kubernetes]
        claimMappings:
          username: {claim: sub, prefix: "b:"}
      anonymous:
        enabled: true
        conditions:
        - path: /healthz
      """;

  @Test
  void everyPart_isRead() {
    AuthenticationConfiguration read = AuthenticationConfiguration.parse(WHOLE, List.of());

    assertThat(read.anonymous()).isEqualTo(new AnonymousRule(true, List.of("/healthz")));
    assertThat(read.issuers())
        .extracting(AuthenticationConfiguration.Trusted::issuer)
        .containsExactly(
            new Issuer(
                "https://a.example",
                "https://a.example/.well-known/openid-configuration",
                List.of("kubernetes", "console"),
                new Issuer.Mapping("email", ""),
                new Issuer.Mapping("groups", "a:"),
                "sub",
                Map.of("hd", "example.org"),
                Jwt.ASYMMETRIC),
            new Issuer(
                "https://b.example/x",
                "https://inside.example/.well-known/openid-configuration",
                List.of("kubernetes"),
                new Issuer.Mapping("sub", "b:"),
                new Issuer.Mapping("", ""),
                "",
                Map.of(),
                Jwt.ASYMMETRIC));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind: AuthenticationConfiguration | kind: Other | kind AuthenticationConfiguration",
        "url: https://a.example | url: http://a.example | jwt[0].issuer.url",
        "url: https://a.example | url: https://u@a.example | jwt[0].issuer.url",
        "url: https://b.example/x | url: https://a.example | jwt[1].issuer.url",
        "url: https://b.example/x | url: https://own | jwt[1].issuer.url",
        "audiences: [kubernetes] | audiences: [] | jwt[1].issuer.audiences",
        "audienceMatchPolicy: MatchAny | audienceMatchPolicy: All | audienceMatchPolicy",
        "{claim: sub, prefix: \"b:\"} | {claim: sub} | jwt[1].claimMappings.username.prefix",
        "{claim: sub, prefix: \"b:\"} | {} | jwt[1].claimMappings.username.claim",
        "uid: {claim: sub} | uid: {expression: claims.sub} | jwt[0].claimMappings.uid.expression",
        "uid: {claim: sub} | extra: [{key: a.b/c}] | jwt[0].claimMappings.extra",
        "requiredValue: example.org} | expression: 'true'} | claimValidationRules[0].expression",
        "enabled: true | enabled: false | anonymous.conditions",
        "path: /healthz | path: healthz | anonymous.conditions[0].path",
        "anonymous: | anonymus: | anonymus"
      })
  void wrongField_isNamed(String right, String wrong, String field) {
    String text = WHOLE.replace(right, wrong);
    assertThat(text).isNotEqualTo(WHOLE);

    assertThatThrownBy(() -> AuthenticationConfiguration.parse(text, List.of("https://own")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(field);
  }
}
