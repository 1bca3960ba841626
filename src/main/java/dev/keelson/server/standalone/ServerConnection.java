package dev.keelson.server.standalone;

import dev.keelson.client.remote.ApiServer;
import dev.keelson.client.remote.HttpClients;
import dev.keelson.client.remote.RemoteTransport;
import dev.keelson.server.identity.KubeconfigServer;
import dev.keelson.server.lifecycle.FileReloader;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connections to the server of a kubeconfig. A kubeconfig with another certificate or authority
 * closes them and makes new ones. Safe for use by several threads.
 */
final class ServerConnection implements AutoCloseable {

  private final Vertx vertx;
  private final FileReloader.Current<KubeconfigServer> kubeconfig;

  /** Guards the clients. */
  private final ReentrantLock lock = new ReentrantLock();

  private @Nullable Clients clients;

  /**
   * The clients for one way of connecting.
   *
   * @param user shows the certificate of the user, if there is one
   * @param bare shows none, for requests with the token of somebody else: a server looks at the
   *     certificate first
   */
  private record Clients(KubeconfigServer.Tls tls, HttpClient user, HttpClient bare) {

    void close() {
      var unused = user.close();
      unused = bare.close();
    }
  }

  ServerConnection(Vertx vertx, FileReloader.Current<KubeconfigServer> kubeconfig) {
    this.vertx = vertx;
    this.kubeconfig = kubeconfig;
  }

  /** The URL of the server, for people. */
  String url() {
    return kubeconfig.get().address().toString();
  }

  /** The way of the user of the kubeconfig. */
  RemoteTransport.Route user() {
    return new RemoteTransport.Route() {
      @Override
      public ApiServer now() {
        KubeconfigServer server = kubeconfig.get();
        return at(server, clients(server.tls()).user(), server.headers());
      }

      @Override
      public boolean rejected(ApiServer server) {
        return false;
      }
    };
  }

  /** The server for a request with a bearer token and nothing of the kubeconfig's user. */
  ApiServer withToken(String token) {
    KubeconfigServer server = kubeconfig.get();
    return at(server, clients(server.tls()).bare(), Map.of("Authorization", "Bearer " + token));
  }

  private static ApiServer at(
      KubeconfigServer server, HttpClient client, Map<String, String> headers) {
    return new ApiServer(
        client, server.host(), server.port(), server.tls().serverName(), server.path(), headers);
  }

  private Clients clients(KubeconfigServer.Tls tls) {
    lock.lock();
    try {
      Clients known = clients;
      if (known == null || !known.tls().equals(tls)) {
        if (known != null) {
          known.close();
        }
        known =
            new Clients(
                tls,
                HttpClients.open(vertx, tls.trust(), tls.identity()),
                HttpClients.open(vertx, tls.trust(), null));
        clients = known;
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (clients != null) {
        clients.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
