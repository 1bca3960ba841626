package dev.keelson.storage.etcd;

import dev.keelson.storage.Bytes;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.etcd.jetcd.options.GetOption;
import io.grpc.ClientCall;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One jetcd client, and the time of its last success. */
final class Link {

  private static final GetOption REVISION_ONLY = GetOption.builder().withCountOnly(true).build();

  final Client client;
  final KV kv;
  final Watch watch;
  final Lease lease;

  /** When it was opened or etcd last answered through it, by {@link System#nanoTime}. */
  private volatile long usefulNanos = System.nanoTime();

  private final CallInterceptor interceptor;

  /** A read that only needs the revision of the response. */
  private final RangeRequest revision;

  /**
   * A client.
   *
   * @param revisionKey a key that the user may read
   */
  Link(Client client, CallInterceptor interceptor, Bytes revisionKey) {
    this.revision =
        RangeRequest.newBuilder().setKey(Wire.string(revisionKey)).setCountOnly(true).build();
    this.client = client;
    this.interceptor = interceptor;
    kv = client.getKVClient();
    watch = client.getWatchClient();
    lease = client.getLeaseClient();
  }

  /**
   * Reads etcd's revision by a linearizable read; does not wait for it. The result completes within
   * the deadline.
   */
  CompletableFuture<Long> revision() {
    ClientCall<RangeRequest, RangeResponse> call = interceptor.open(KVGrpc.getRangeMethod());
    long begun = System.nanoTime();
    return call == null
        ? revisionByJetcd(begun)
        : UnaryCall.send(call, revision, interceptor.deadlines())
            .thenApply(answer -> answer.getHeader().getRevision())
            .exceptionallyCompose(_ -> revisionByJetcd(begun));
  }

  /** The same with jetcd's retries, within the deadline of a call that began at a time. */
  private CompletableFuture<Long> revisionByJetcd(long begunNanos) {
    return timely(
        kv.get(ByteSequence.from(revision.getKey()), REVISION_ONLY)
            .thenApply(answer -> answer.getHeader().getRevision()),
        begunNanos);
  }

  /** A result of jetcd that ends with a {@code TimeoutException} shortly after the deadline. */
  <T> CompletableFuture<T> timely(CompletableFuture<T> result, long begunNanos) {
    Duration all = interceptor.deadlines().deadline().plus(CallDeadlines.GRACE);
    return result.orTimeout(
        Math.max(1, begunNanos + all.toNanos() - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  /**
   * Sends a transaction once; does not wait for its response. The result completes within the
   * deadline.
   */
  CompletableFuture<TxnResponse> transaction(TxnRequest request) {
    ClientCall<TxnRequest, TxnResponse> call = interceptor.open(KVGrpc.getTxnMethod());
    // the first call of this client: jetcd opens its channel for a read
    return call == null
        ? revisionByJetcd(System.nanoTime()).thenCompose(_ -> transaction(request))
        : UnaryCall.send(call, request, interceptor.deadlines());
  }

  /** Asks one member for its version and the size of its database. */
  CompletableFuture<StatusResponse> status(URI endpoint) {
    return client.getMaintenanceClient().statusMember("ip:///" + endpoint.getAuthority());
  }

  void answered() {
    usefulNanos = System.nanoTime();
  }

  long uselessNanos() {
    return System.nanoTime() - usefulNanos;
  }
}
