package dev.keelson.storage.etcd;

import com.google.protobuf.ByteString;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.util.List;

/**
 * A {@link Write} as a transaction of etcd: it compares the revision of the key, changes the key,
 * and reads it if the comparison fails.
 */
final class Transaction {

  private Transaction() {}

  static TxnRequest request(Write write) {
    ByteString key = Wire.string(write.key());
    RequestOp read = read(key);
    TxnRequest.Builder request =
        TxnRequest.newBuilder()
            .addCompare(unchanged(key, write.expectedRevision()))
            .addSuccess(
                switch (write) {
                  case Write.Put put -> put(key, put);
                  case Write.Delete delete -> isImpossible(delete) ? read : delete(key);
                })
            .addFailure(read);
    Write.Guard guard = write instanceof Write.Put put ? put.guard() : null;
    if (guard != null) {
      ByteString other = Wire.string(guard.key());
      request.addCompare(unchanged(other, guard.revision())).addFailure(read(other));
    }
    return request.build();
  }

  static WriteOutcome outcome(Write write, TxnResponse answer) {
    long revision = answer.getHeader().getRevision();
    if (answer.getSucceeded() && !isImpossible(write)) {
      return new WriteOutcome.Applied(revision);
    }
    List<KeyValue> current = found(answer, 0);
    if (write instanceof Write.Put put
        && put.guard() != null
        && modRevision(current) == put.expectedRevision()) {
      return new WriteOutcome.Guarded(modRevision(found(answer, 1)));
    }
    return current.isEmpty()
        ? new WriteOutcome.Missing(revision)
        : new WriteOutcome.Conflict(Wire.entry(current.getFirst()));
  }

  private static List<KeyValue> found(TxnResponse answer, int operation) {
    return answer.getResponses(operation).getResponseRange().getKvsList();
  }

  private static long modRevision(List<KeyValue> found) {
    return found.isEmpty() ? Write.ABSENT : found.getFirst().getModRevision();
  }

  /** A deletion of a key that is expected to be absent never applies; it only reads. */
  private static boolean isImpossible(Write write) {
    return write instanceof Write.Delete && write.expectedRevision() == Write.ABSENT;
  }

  private static Compare unchanged(ByteString key, long revision) {
    return Compare.newBuilder()
        .setKey(key)
        .setTarget(Compare.CompareTarget.MOD)
        .setResult(Compare.CompareResult.EQUAL)
        .setModRevision(revision)
        .build();
  }

  private static RequestOp read(ByteString key) {
    return RequestOp.newBuilder().setRequestRange(RangeRequest.newBuilder().setKey(key)).build();
  }

  private static RequestOp put(ByteString key, Write.Put put) {
    return RequestOp.newBuilder()
        .setRequestPut(
            PutRequest.newBuilder()
                .setKey(key)
                .setValue(Wire.string(put.value()))
                .setLease(put.lease()))
        .build();
  }

  private static RequestOp delete(ByteString key) {
    return RequestOp.newBuilder()
        .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
        .build();
  }
}
