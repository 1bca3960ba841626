package dev.keelson.server.standalone;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.remote.ApiServer;
import dev.keelson.client.remote.RemoteTransport;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.Written;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of a service account in {@code kube-system}, with tokens by TokenRequest; an account that
 * does not exist is created (source: controller-manager, {@code clientbuilder}). A token is
 * replaced when a fifth of its time is left, or when the server rejects it.
 */
final class AccountRoute implements RemoteTransport.Route {

  private static final String NAMESPACE = "kube-system";
  private static final GroupVersionResource ACCOUNTS =
      GroupVersion.CORE_V1.resource("serviceaccounts");

  /** As in Kubernetes. */
  private static final long SECONDS = 3600;

  private final ServerConnection connection;
  private final ApiClient issuer;
  private final String account;
  private final LongSupplier nanos;

  /** Guards the token; held during a TokenRequest, so that there is one at a time. */
  private final ReentrantLock lock = new ReentrantLock();

  private @Nullable Token token;

  private record Token(String text, long renewAt) {}

  /**
   * A route without a token.
   *
   * @param issuer may request tokens and create the account
   * @param nanos a monotonic clock, in nanoseconds
   */
  AccountRoute(ServerConnection connection, ApiClient issuer, String account, LongSupplier nanos) {
    this.connection = connection;
    this.issuer = issuer;
    this.account = account;
    this.nanos = nanos;
  }

  @Override
  public ApiServer now() throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      Token known = token;
      if (known == null || nanos.getAsLong() - known.renewAt >= 0) {
        known = requested();
        token = known;
      }
      return connection.withToken(known.text);
    } catch (ApiException e) {
      throw new IOException(
          "no token for the service account " + NAMESPACE + "/" + account + ": " + e.text(), e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean rejected(ApiServer server) {
    lock.lock();
    try {
      Token known = token;
      if (known != null && server.headers().equals(connection.withToken(known.text).headers())) {
        token = null;
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private Token requested() throws InterruptedException {
    long begin = nanos.getAsLong();
    ApiObject answer;
    try {
      answer = request();
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND) {
        throw e;
      }
      createAccount();
      answer = request();
    }
    long seconds =
        answer.root().map("spec").get("expirationSeconds") instanceof Node.Int granted
            ? granted.value()
            : SECONDS;
    return new Token(
        answer.root().map("status").text("token"),
        begin + Duration.ofSeconds(seconds).toNanos() / 5 * 4);
  }

  private ApiObject request() throws InterruptedException {
    MapNode spec = MapNode.of("expirationSeconds", new Node.Int(SECONDS));
    return issuer
        .create(
            ACCOUNTS,
            NAMESPACE,
            account,
            "token",
            new ApiObject(MapNode.of("spec", spec))
                .withType("authentication.k8s.io/v1", "TokenRequest"))
        .object();
  }

  private void createAccount() throws InterruptedException {
    MapNode metadata =
        MapNode.of("name", Node.text(account)).with("namespace", Node.text(NAMESPACE));
    try {
      Written unused =
          issuer.create(
              ACCOUNTS,
              new ApiObject(MapNode.of("metadata", metadata)).withType("v1", "ServiceAccount"));
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }
}
