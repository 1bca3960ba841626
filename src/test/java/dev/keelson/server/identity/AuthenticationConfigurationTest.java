package dev.keelson.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.authn.AnonymousAuthConfig;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.authn.oidc.ClaimExpressions;
import dev.keelson.authn.oidc.Issuer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Expected errors: Keelson's own words; the rules are those of Kubernetes'
 * AuthenticationConfiguration.
 */
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

    assertThat(read.anonymous()).isEqualTo(new AnonymousAuthConfig(true, List.of("/healthz")));
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
                Jwt.ASYMMETRIC,
                ClaimExpressions.NONE),
            new Issuer(
                "https://b.example/x",
                "https://inside.example/.well-known/openid-configuration",
                List.of("kubernetes"),
                new Issuer.Mapping("sub", "b:"),
                new Issuer.Mapping("", ""),
                "",
                Map.of(),
                Jwt.ASYMMETRIC,
                ClaimExpressions.NONE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "kind: AuthenticationConfiguration | kind: Other | expected kind"
            + " AuthenticationConfiguration",
        "url: https://a.example | url: http://a.example | jwt[0].issuer.url",
        "url: https://a.example | url: https://u@a.example | jwt[0].issuer.url",
        "url: https://b.example/x | url: https://a.example | jwt[1].issuer.url",
        "url: https://b.example/x | url: https://own | jwt[1].issuer.url",
        "audiences: [kubernetes] | audiences: [] | jwt[1].issuer.audiences",
        "audienceMatchPolicy: MatchAny | audienceMatchPolicy: All | audienceMatchPolicy",
        "{claim: sub, prefix: \"b:\"} | {claim: sub} | jwt[1].claimMappings.username.prefix",
        "{claim: sub, prefix: \"b:\"} | {} | jwt[1].claimMappings.username: claim or expression",
        "uid: {claim: sub} | uid: {expression: claims.} | jwt[0].claimMappings.uid.expression:"
            + " \"claims.\": compilation failed: ERROR",
        "uid: {claim: sub} | uid: {claim: a, expression: claims.a} | jwt[0].claimMappings.uid:"
            + " claim and expression can't both be set",
        "{claim: sub, prefix: \"b:\"} | {expression: claims.sub, prefix: x} |"
            + " jwt[1].claimMappings.username.prefix: prefix can't be set",
        "{claim: sub, prefix: \"b:\"} | {expression: claims.email} |"
            + " jwt[1].claimMappings.username.expression: claims.email_verified must be used",
        "{claim: sub, prefix: \"b:\"} | {expression: user.name} | undeclared reference to 'user'",
        "{claim: groups, prefix: \"a:\"} | {claim: groups, expression: claims.groups} |"
            + " jwt[0].claimMappings.groups: claim and expression",
        "{claim: groups, prefix: \"a:\"} | {prefix: \"a:\"} | jwt[0].claimMappings.groups.prefix",
        "uid: {claim: sub} | extra: [{key: a.b/c}] | jwt[0].claimMappings.extra[0].valueExpression:"
            + " is required",
        "uid: {claim: sub} | extra: [{valueExpression: claims.a}] |"
            + " jwt[0].claimMappings.extra[0].key: is required",
        "uid: {claim: sub} | extra: [{key: a.b/C, valueExpression: claims.a}] | extra[0].key: key"
            + " must be lowercase",
        "uid: {claim: sub} | extra: [{key: abc, valueExpression: claims.a}] | extra[0].key: must be"
            + " a domain-prefixed path",
        "uid: {claim: sub} | extra: [{key: x.k8s.io/a, valueExpression: claims.a}] | extra[0].key:"
            + " k8s.io, kubernetes.io",
        "uid: {claim: sub} | extra: [{key: a.b/c, valueExpression: claims.a}, {key: a.b/c,"
            + " valueExpression: claims.b}] | extra[1].key: duplicate value \"a.b/c\"",
        "requiredValue: example.org} | expression: 'true'} | claimValidationRules[0]: claim and"
            + " expression can't both be set",
        "{claim: hd, requiredValue: example.org} | {expression: '1'} |"
            + " claimValidationRules[0].expression: \"1\": must evaluate to bool",
        "{claim: hd, requiredValue: example.org} | {expression: 'true', requiredValue: a} |"
            + " claimValidationRules[0].requiredValue",
        "{claim: hd, requiredValue: example.org} | {claim: hd, message: a} |"
            + " claimValidationRules[0].message",
        "{claim: hd, requiredValue: example.org} | {} | claimValidationRules[0]: claim or"
            + " expression is required",
        "{claim: hd, requiredValue: example.org} | {expression: 'true'}~  - {expression: 'true'} |"
            + " claimValidationRules[1].expression: duplicate value",
        "claimValidationRules: | userValidationRules: [{expression: claims.sub == 'a'}]~ "
            + " claimValidationRules: | jwt[0].userValidationRules[0].expression",
        "claimValidationRules: | userValidationRules: [{message: a}]~  claimValidationRules: |"
            + " jwt[0].userValidationRules[0].expression: is required",
        "claimValidationRules: | userValidationRules: [{expression: user.nope == 'a'}]~ "
            + " claimValidationRules: | undefined field 'nope'",
        "enabled: true | enabled: false | anonymous.conditions",
        "path: /healthz | path: healthz | anonymous.conditions[0].path",
        "anonymous: | anonymus: | anonymus"
      })
  void wrongField_isNamed(String right, String wrong, String field) {
    String text = WHOLE.replace(right, wrong.replace('~', '\n'));
    assertThat(text).isNotEqualTo(WHOLE);

    assertThatThrownBy(() -> AuthenticationConfiguration.parse(text, List.of("https://own")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(field);
  }

  @Test
  void expressions_areRead() {
    String text =
        WHOLE
            .replace(
                "{claim: email, prefix: \"\"}",
                "{expression: 'claims.email_verified ? claims.email : claims.sub'}")
            .replace("{claim: groups, prefix: \"a:\"}", "{expression: claims.roles}")
            .replace(
                "uid: {claim: sub}",
                "extra: [{key: example.org/team, valueExpression: claims.team}]")
            .replace(
                "claimValidationRules:",
                "userValidationRules:\n"
                    + "  - {expression: '!user.username.startsWith(\"system:\")', message:"
                    + " reserved}\n"
                    + "  claimValidationRules:\n"
                    + "  - {expression: claims.hd == 'x', message: why}");

    Issuer issuer = AuthenticationConfiguration.parse(text, List.of()).issuers().get(0).issuer();

    assertThat(issuer.username().claim()).isEmpty();
    assertThat(issuer.requiredClaims()).isEqualTo(Map.of("hd", "example.org"));
    assertThat(String.valueOf(issuer.expressions().username())).contains("claims.sub");
    assertThat(String.valueOf(issuer.expressions().groups())).isEqualTo("claims.roles");
    assertThat(issuer.expressions().uid()).isNull();
    assertThat(issuer.expressions().extra().getFirst().key()).isEqualTo("example.org/team");
    assertThat(issuer.expressions().claimRules().getFirst().message()).isEqualTo("why");
    assertThat(issuer.expressions().userRules().getFirst().message()).isEqualTo("reserved");
  }
}
