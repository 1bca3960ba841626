package dev.keelson.server.identity.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
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

/** Rules and errors are those of {@code ValidateAuthenticationConfiguration} of Kubernetes. */
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
  void anonymousRequests_areThoseOfTheFile_orOfTheFlag_butNotOfBoth() {
    AnonymousAuthConfig flag = AnonymousAuthConfig.of(false);
    AuthenticationConfiguration both = AuthenticationConfiguration.parse(WHOLE, List.of());
    AuthenticationConfiguration none =
        AuthenticationConfiguration.parse(
            WHOLE.substring(0, WHOLE.indexOf("anonymous:")), List.of());

    assertThat(both.anonymousOr(flag, /* given= */ false)).isEqualTo(both.anonymous());
    assertThat(none.anonymousOr(flag, /* given= */ true)).isEqualTo(flag);
    assertThatThrownBy(() -> both.anonymousOr(flag, /* given= */ true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is"
                + " configured in authentication configuration file");
  }

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
        "url: https://a.example | url: http://a.example | jwt[0].issuer.url:"
            + " Invalid value: \"http://a.example\": URL scheme must be https",
        "url: https://a.example | url: \"\" | jwt[0].issuer.url: Required value",
        "url: https://a.example | url: https://a.example:port |"
            + " jwt[0].issuer.url: Invalid value: \"https://a.example:port\": parse"
            + " \"https://a.example:port\": invalid port \":port\" after host",
        "url: https://a.example | url: https://u:p@a.example | jwt[0].issuer.url:"
            + " Invalid value: \"https://u:p@a.example\": URL must not contain a username"
            + " or password",
        "url: https://a.example | url: https://a.example?x | jwt[0].issuer.url:"
            + " Invalid value: \"https://a.example?x\": URL must not contain a query",
        "url: https://a.example | url: \"https://a.example#x\" | jwt[0].issuer.url:"
            + " Invalid value: \"https://a.example#x\": URL must not contain a fragment",
        "url: https://b.example/x | url: https://a.example | jwt[1].issuer.url:"
            + " Duplicate value: \"https://a.example\"",
        "url: https://b.example/x | url: https://own | jwt[1].issuer.url: Invalid"
            + " value: \"https://own\": URL must not overlap with disallowed issuers:"
            + " [https://own]",
        "discoveryURL: https://inside.example/.well-known/openid-configuration |"
            + " discoveryURL: https://b.example/x// | jwt[1].issuer.discoveryURL:"
            + " Invalid value: \"https://b.example/x//\": discoveryURL must be different"
            + " from URL",
        "audiences: [kubernetes] | audiences: [] | jwt[1].issuer.audiences:"
            + " Required value: at least one jwt[1].issuer.audiences is required",
        "audiences: [kubernetes] | audiences: [\"\"] | jwt[1].issuer.audiences[0]:"
            + " Required value",
        "audiences: [kubernetes] | audiences: [a, a] |"
            + " [jwt[1].issuer.audiences[1]: Duplicate value: \"a\","
            + " jwt[1].issuer.audienceMatchPolicy: Invalid value: \"\":"
            + " audienceMatchPolicy must be MatchAny for multiple audiences]",
        "audiences: [kubernetes] | audiences: [a]~    audienceMatchPolicy: Exact"
            + " | jwt[1].issuer.audienceMatchPolicy: Invalid value: \"Exact\":"
            + " audienceMatchPolicy must be empty or MatchAny for single audience",
        "audiences: [kubernetes] | audiences: [a]~    certificateAuthority: x |"
            + " jwt[1].issuer.certificateAuthority: Invalid value: \"<omitted>\": data"
            + " does not contain any valid RSA or ECDSA certificates",
        "audiences: [kubernetes] | audiences: [a]~    egressSelectorType: x |"
            + " jwt[1].issuer.egressSelectorType: Invalid value: \"x\": egress selector"
            + " must be either controlplane or cluster",
        "{claim: sub, prefix: \"b:\"} | {claim: sub} |"
            + " jwt[1].claimMappings.username.prefix: Required value: prefix is"
            + " required when claim is set. It can be set to an empty string to disable"
            + " prefixing",
        "{claim: sub, prefix: \"b:\"} | {} | jwt[1].claimMappings.username:"
            + " Required value: claim or expression is required",
        "{claim: sub, prefix: \"b:\"} | {claim: sub, expression: claims.sub} |"
            + " jwt[1].claimMappings.username: Invalid value: \"\": claim and expression"
            + " can't both be set",
        "{claim: sub, prefix: \"b:\"} | {expression: claims.sub, prefix: x} |"
            + " jwt[1].claimMappings.username.prefix: Invalid value: \"x\": may not be"
            + " specified when expression is set",
        "{claim: sub, prefix: \"b:\"} | {expression: claims.email} |"
            + " jwt[1].claimMappings.username.expression: Invalid value:"
            + " \"claims.email\": claims.email_verified must be used",
        "{claim: sub, prefix: \"b:\"} | {expression: user.name} |"
            + " jwt[1].claimMappings.username.expression: Invalid value: \"user.name\":"
            + " compilation failed: ERROR: <input>:1:1: undeclared reference to 'user'",
        "uid: {claim: sub} | uid: {claim: a, expression: claims.a} |"
            + " jwt[0].claimMappings.uid: Invalid value: \"\": claim and expression can't"
            + " both be set",
        "uid: {claim: sub} | uid: {expression: claims.} |"
            + " jwt[0].claimMappings.uid.expression: Invalid value: \"claims.\":"
            + " compilation failed: ERROR",
        "{claim: groups, prefix: \"a:\"} | {claim: groups, expression:"
            + " claims.groups} | jwt[0].claimMappings.groups: Invalid value: \"\": claim"
            + " and expression can't both be set",
        "uid: {claim: sub} | extra: [{key: a.b/c}] |"
            + " jwt[0].claimMappings.extra[0].valueExpression: Required value",
        "uid: {claim: sub} | extra: [{valueExpression: claims.a}] |"
            + " jwt[0].claimMappings.extra[0].key: Required value",
        "uid: {claim: sub} | extra: [{key: a.b/C, valueExpression: claims.a}] |"
            + " jwt[0].claimMappings.extra[0].key: Invalid value: \"a.b/C\": must be"
            + " lowercase",
        "uid: {claim: sub} | extra: [{key: abc, valueExpression: claims.a}] |"
            + " jwt[0].claimMappings.extra[0].key: Invalid value: \"abc\": must be a"
            + " domain-prefixed path (such as \"acme.io/foo\")",
        "uid: {claim: sub} | extra: [{key: a.b/c d, valueExpression: claims.a}] |"
            + " jwt[0].claimMappings.extra[0].key: Invalid value: \"c d\": Invalid path"
            + " (regex used for validation is",
        "uid: {claim: sub} | extra: [{key: x.k8s.io/a, valueExpression:"
            + " claims.a}] | jwt[0].claimMappings.extra[0].key: Invalid value:"
            + " \"x.k8s.io/a\": k8s.io, kubernetes.io and their subdomains are reserved"
            + " for Kubernetes use",
        "uid: {claim: sub} | extra: [{key: a.b/c, valueExpression: claims.a},"
            + " {key: a.b/c, valueExpression: claims.b}] |"
            + " jwt[0].claimMappings.extra[1].key: Duplicate value: \"a.b/c\"",
        "requiredValue: example.org} | expression: 'true'} |"
            + " jwt[0].claimValidationRules[0]: Invalid value: \"hd\": claim and"
            + " expression can't both be set",
        "{claim: hd, requiredValue: example.org} | {expression: claims.foo} |"
            + " jwt[0].claimValidationRules[0].expression: Invalid value: \"claims.foo\":"
            + " must evaluate to bool",
        "{claim: hd, requiredValue: example.org} | {expression: 'true',"
            + " requiredValue: a} | jwt[0].claimValidationRules[0].requiredValue:"
            + " Invalid value: \"a\": may not be specified when expression is set",
        "{claim: hd, requiredValue: example.org} | {claim: hd, message: a} |"
            + " jwt[0].claimValidationRules[0].message: Invalid value: \"a\": may not be"
            + " specified when claim is set",
        "{claim: hd, requiredValue: example.org} | {claim: hd}~  - {claim: hd} |"
            + " jwt[0].claimValidationRules[1].claim: Duplicate value: \"hd\"",
        "{claim: hd, requiredValue: example.org} | {} |"
            + " jwt[0].claimValidationRules[0]: Required value: claim or expression is"
            + " required",
        "{claim: hd, requiredValue: example.org} | {expression: 'true'}~  -"
            + " {expression: 'true'} | jwt[0].claimValidationRules[1].expression:"
            + " Duplicate value: \"true\"",
        "claimValidationRules: | userValidationRules: [{expression: claims.sub =="
            + " 'a'}]~  claimValidationRules: |"
            + " jwt[0].userValidationRules[0].expression: Invalid value: \"claims.sub =="
            + " 'a'\": compilation failed",
        "claimValidationRules: | userValidationRules: [{message: a}]~ "
            + " claimValidationRules: | jwt[0].userValidationRules[0].expression:"
            + " Required value",
        "claimValidationRules: | userValidationRules: [{expression: user.nope =="
            + " 'a'}]~  claimValidationRules: |"
            + " jwt[0].userValidationRules[0].expression: Invalid value: \"user.nope =="
            + " 'a'\": compilation failed: ERROR: <input>:1:5: undefined field 'nope'",
        "enabled: true | enabled: false | anonymous.conditions: Invalid value:"
            + " [{\"Path\":\"/healthz\"}]: enabled should be set to true when conditions"
            + " are defined",
        "anonymous: | anonymus: | strict decoding error: unknown field \"anonymus\"",
        "audiences: [kubernetes] | audience: [kubernetes] | strict decoding"
            + " error: unknown field \"jwt[1].issuer.audience\""
      })
  void wrongField_isNamed(String right, String wrong, String field) {
    String text = WHOLE.replace(right, wrong.replace('~', '\n'));
    assertThat(text).isNotEqualTo(WHOLE);

    assertThatThrownBy(() -> AuthenticationConfiguration.parse(text, List.of("https://own")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(field);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "path: /healthz | path: healthz",
        "{claim: groups, prefix: \"a:\"} | {prefix: \"a:\"}",
        "discoveryURL: https://inside.example/.well-known/openid-configuration | discoveryURL:"
            + " https://a.example/.well-known/openid-configuration",
        "{claim: hd, requiredValue: example.org} | {expression: has(claims.hd)}",
        "{claim: sub, prefix: \"b:\"} | {expression: 'claims.?email_verified.orValue(true) ?"
            + " claims.email : claims.sub'}",
        "{claim: sub, prefix: \"b:\"} | {expression: claims.email_}"
      })
  void whatKubernetesAccepts_isAccepted(String right, String other) {
    String text = WHOLE.replace(right, other);
    assertThat(text).isNotEqualTo(WHOLE);

    assertThatCode(() -> AuthenticationConfiguration.parse(text, List.of()))
        .doesNotThrowAnyException();
  }

  @Test
  void issuers_areNotMoreThanKubernetesTakes() {
    String text =
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n"
            + "- {}\n".repeat(65);

    assertThatThrownBy(() -> AuthenticationConfiguration.parse(text, List.of()))
        .hasMessage("jwt: Too many: 65: must have at most 64 items");
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
