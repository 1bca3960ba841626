package dev.keelson.bench;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a store does when nothing but plain transactions is asked of it: each write is one
 * conditional transaction, durable when it returns. Values are random bytes of a given length.
 */
abstract sealed class StoreLimit implements AutoCloseable {

  final AtomicLong names = new AtomicLong();
  private final AtomicLong deleted = new AtomicLong();
  private long[][] revisions = new long[0][];
  private byte[] value = new byte[0];

  /** The limit of an etcd: transactions through jetcd. */
  static StoreLimit etcd(URI endpoint) {
    return new Etcd(endpoint);
  }

  /** The limit of SQLite: one connection that the clients take turns with, each commit flushed. */
  static StoreLimit sqlite(Path file) throws SQLException {
    return new Sqlite(file);
  }

  /** From now on values have so many bytes. */
  void values(int bytes) {
    value = new byte[bytes];
    new Random(1).nextBytes(value);
  }

  /** So many clients will replace so many values each, which are made now. */
  void clients(int clients, int keys) throws Exception {
    revisions = new long[clients][keys];
    for (int client = 0; client < clients; client++) {
      for (int key = 0; key < keys; key++) {
        revisions[client][key] = put(hot(client, key, keys), value, 0);
      }
    }
  }

  private String hot(int client, int key, int keys) {
    return "/raw/hot/" + System.identityHashCode(revisions) + "/" + (client * keys + key);
  }

  /** Writes a value under a new key. */
  boolean create(int client, int turn) throws Exception {
    long unused = put("/raw/new/" + names.incrementAndGet(), value, 0);
    return true;
  }

  /** Replaces a value that must be as the last replacement left it. */
  boolean replace(int client, int turn) throws Exception {
    long[] own = revisions[client];
    int key = turn % own.length;
    own[key] = put(hot(client, key, own.length), value, own[key]);
    return true;
  }

  /** Removes one of the values that were created. */
  boolean delete(int client, int turn) throws Exception {
    long number = deleted.incrementAndGet();
    if (number > names.get()) {
      return false;
    }
    remove("/raw/new/" + number);
    return true;
  }

  /** Writes a value if the key is at a revision (0: absent), and returns its new revision. */
  abstract long put(String key, byte[] bytes, long expected) throws Exception;

  abstract void remove(String key) throws Exception;

  private static final class Etcd extends StoreLimit {
    private final Client client;
    private final KV kv;

    Etcd(URI endpoint) {
      client = Client.builder().endpoints(endpoint.toString()).build();
      kv = client.getKVClient();
    }

    @Override
    long put(String key, byte[] bytes, long expected) throws Exception {
      ByteSequence name = ByteSequence.from(key, StandardCharsets.UTF_8);
      return done(kv.txn()
              .If(new Cmp(name, Cmp.Op.EQUAL, CmpTarget.modRevision(expected)))
              .Then(Op.put(name, ByteSequence.from(bytes), PutOption.DEFAULT))
              .commit()
              .get(10, TimeUnit.SECONDS))
          .getHeader()
          .getRevision();
    }

    @Override
    void remove(String key) throws Exception {
      ByteSequence name = ByteSequence.from(key, StandardCharsets.UTF_8);
      var unused =
          done(
              kv.txn()
                  .If(new Cmp(name, Cmp.Op.GREATER, CmpTarget.modRevision(0)))
                  .Then(Op.delete(name, DeleteOption.DEFAULT))
                  .commit()
                  .get(10, TimeUnit.SECONDS));
    }

    private static TxnResponse done(TxnResponse answer) {
      if (!answer.isSucceeded()) {
        throw new IllegalStateException("the key was not as expected");
      }
      return answer;
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static final class Sqlite extends StoreLimit {
    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement update;
    private final PreparedStatement delete;
    private final ReentrantLock lock = new ReentrantLock(/* fair= */ true);

    Sqlite(Path file) throws SQLException {
      connection = DriverManager.getConnection("jdbc:sqlite:" + file);
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA page_size=8192");
        statement.execute("PRAGMA journal_mode=WAL");
        statement.execute("PRAGMA synchronous=FULL");
        statement.execute("CREATE TABLE raw (key TEXT PRIMARY KEY, revision INTEGER, value BLOB)");
      }
      insert = connection.prepareStatement("INSERT INTO raw VALUES (?, 1, ?)");
      update =
          connection.prepareStatement(
              "UPDATE raw SET revision = revision + 1, value = ? WHERE key = ? AND revision = ?");
      delete = connection.prepareStatement("DELETE FROM raw WHERE key = ?");
    }

    @Override
    long put(String key, byte[] bytes, long expected) throws SQLException {
      lock.lock();
      try {
        PreparedStatement write = expected == 0 ? insert : update;
        write.setString(expected == 0 ? 1 : 2, key);
        write.setBytes(expected == 0 ? 2 : 1, bytes);
        if (expected != 0) {
          write.setLong(3, expected);
        }
        one(write);
        return expected + 1;
      } finally {
        lock.unlock();
      }
    }

    @Override
    void remove(String key) throws SQLException {
      lock.lock();
      try {
        delete.setString(1, key);
        one(delete);
      } finally {
        lock.unlock();
      }
    }

    private static void one(PreparedStatement write) throws SQLException {
      if (write.executeUpdate() != 1) {
        throw new IllegalStateException("the key was not as expected");
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
