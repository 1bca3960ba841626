package dev.keelson.blackbox.attack;

import dev.keelson.testing.CertificateRequests;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Floods of what concerns identities: tokens, reviews, requests for certificates. */
final class IdentityAttacks {

  private static final String TOKEN = "/api/v1/namespaces/default/serviceaccounts/default/token";
  private static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/";
  private static final String TOKEN_REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";

  private IdentityAttacks() {}

  static List<Attack> all() {
    return List.of(
        new Attack(
            "wrong tokens",
            "1,000: no signature, a foreign one, expired, to come, for others",
            IdentityAttacks::wrongTokens),
        new Attack("TokenRequests", "500", IdentityAttacks::tokenRequests),
        new Attack("reviews", "500 of access and of tokens", IdentityAttacks::reviews),
        new Attack(
            "CSRs", "200 of kubelets, which are signed", IdentityAttacks::certificateRequests));
  }

  /** Fails if there are responses of other statuses. */
  private static void expect(Map<Integer, Integer> statuses, Integer... allowed) {
    if (!Set.of(allowed).containsAll(statuses.keySet())) {
      throw new IllegalStateException("statuses and how often: " + statuses);
    }
  }

  private static HttpRequest.Builder post(Target target, String path, String body) {
    return HttpRequest.newBuilder(target.uri(path))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  private static HttpRequest.Builder bearing(Target target, String token) {
    return HttpRequest.newBuilder(target.uri("/api")).header("Authorization", "Bearer " + token);
  }

  private static void wrongTokens(Target target) throws IOException, InterruptedException {
    String valid = target.answer(post(target, TOKEN, "{\"spec\":{\"expirationSeconds\":3600}}"));
    ForgedTokens tokens = ForgedTokens.of(valid, target.tokenKey());
    // so that the others are refused for what is wrong with them
    expect(target.flood(Target.Client.NOBODY, List.of(bearing(target, tokens.unchanged()))), 200);
    List<HttpRequest.Builder> requests = new ArrayList<>();
    for (int i = 0; i < target.times(1_000); i++) {
      requests.add(bearing(target, tokens.wrong(i)));
    }
    expect(target.flood(Target.Client.NOBODY, requests), 401);
  }

  private static void tokenRequests(Target target) throws IOException, InterruptedException {
    List<HttpRequest.Builder> requests = new ArrayList<>();
    for (int i = 0; i < target.times(500); i++) {
      requests.add(post(target, TOKEN, "{\"spec\":{\"expirationSeconds\":" + (600 + i) + "}}"));
    }
    expect(target.flood(Target.Client.USER, requests), 201, 429);
  }

  private static void reviews(Target target) throws IOException, InterruptedException {
    List<HttpRequest.Builder> requests = new ArrayList<>();
    for (int i = 0; i < target.times(500); i++) {
      String attributes = "\"nonResourceAttributes\":{\"path\":\"/" + i + "\",\"verb\":\"get\"}";
      requests.add(
          switch (i % 3) {
            case 0 ->
                post(
                    target,
                    REVIEWS + "selfsubjectaccessreviews",
                    "{\"spec\":{" + attributes + "}}");
            case 1 ->
                post(
                    target,
                    REVIEWS + "subjectaccessreviews",
                    "{\"spec\":{\"user\":\"u" + i + "\"," + attributes + "}}");
            default ->
                post(target, TOKEN_REVIEWS, "{\"spec\":{\"token\":\"eyJ.e" + i + ".AAAA\"}}");
          });
    }
    expect(target.flood(Target.Client.USER, requests), 201, 429);
  }

  private static void certificateRequests(Target target) throws IOException, InterruptedException {
    String request =
        CertificateRequests.request(
            CertificateRequests.keys(), "O=system:nodes,CN=system:node:flood");
    String object =
        "{\"metadata\":{\"generateName\":\"flood-\"},\"spec\":{\"request\":\""
            + request
            + "\",\"signerName\":\"kubernetes.io/kube-apiserver-client-kubelet\","
            + "\"usages\":[\"digital signature\",\"client auth\"]}}";
    List<HttpRequest.Builder> requests = new ArrayList<>();
    for (int i = 0; i < target.times(200); i++) {
      requests.add(post(target, REQUESTS, object));
    }
    expect(target.flood(Target.Client.USER, requests), 201, 429);
  }
}
