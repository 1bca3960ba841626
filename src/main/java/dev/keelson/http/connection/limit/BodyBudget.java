package dev.keelson.http.connection.limit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory of all request bodies, and how many large ones are handled at a time: the trees
 * of an object take up to a hundred times its body. Safe for use by several threads.
 *
 * <p>Bodies that nobody has asked for yet, among them those of strangers, take at most half of the
 * memory. A user's large or slow bodies take at most as much as is still free after them: one user
 * alone gets a half, two a third each, so that nobody who stalls bodies takes all from the others.
 * Those that say that they are small have an eighth of their own: a user who is both a controller
 * that stalls large bodies and one that behaves is served. Anonymous users are one user.
 */
public final class BodyBudget {

  private static final long LEAST = 32L * 1024 * 1024;

  /** Bodies up to this size are handled at once. */
  public static final int SMALL_BYTES = 64 * 1024;

  /** What a request keeps while the rest of its body is waited for: its state and its thread. */
  public static final int WAITING_BYTES = 20 * 1024;

  /** The part of the memory that small bodies of one user may take: an eighth. */
  private static final int SMALL_PART = 8;

  /** What a byte of a body may become while it is handled. */
  private static final int GROWTH = 128;

  private static final int UNIT = 1024;

  /** One of the largest, and room beside it for what a webhook may write meanwhile. */
  private static final int LEAST_TURNS = 4 * 1024 * 1024 / UNIT;

  private final long most;
  private final int turns;

  /** The large bodies that can be handled, in KiB; first come, first served. */
  private final Semaphore handled;

  private final AtomicLong used = new AtomicLong();

  /** The bytes that belong to no user, a part of {@link #used}. */
  private final AtomicLong unclaimed = new AtomicLong();

  /** The users that have large or slow bodies. */
  private final Map<Owner, Account> accounts = new ConcurrentHashMap<>();

  /**
   * Whose bodies they are.
   *
   * @param user the user's name
   * @param small whether they have said that they have at most {@link #SMALL_BYTES}
   */
  public record Owner(String user, boolean small) {}

  /** The bytes of one owner. */
  public static final class Account {
    private final Owner owner;
    private final AtomicLong bytes = new AtomicLong();

    /** How many bodies there are; changed by the map's atomic operations alone. */
    private int bodies;

    private Account(Owner owner) {
      this.owner = owner;
    }
  }

  /** A budget of {@code most} bytes. */
  public BodyBudget(long most) {
    this.most = most;
    this.turns = Math.clamp(most * 8 / GROWTH / UNIT, LEAST_TURNS, Integer.MAX_VALUE);
    this.handled = new Semaphore(turns, true);
  }

  /** An eighth of the memory of this process, at least 32 MiB. */
  public static BodyBudget ofMemory() {
    return new BodyBudget(Math.max(LEAST, Runtime.getRuntime().maxMemory() / 8));
  }

  /**
   * Takes bytes; false if there are too few left.
   *
   * @param account whose they are; null for nobody's yet
   */
  public boolean take(long bytes, @Nullable Account account) {
    AtomicLong own = account == null ? unclaimed : account.bytes;
    long mine = own.addAndGet(bytes);
    long all = used.addAndGet(bytes);
    if (all > most || mine > (account == null ? most / 2 : most(account, all))) {
      give(bytes, account);
      return false;
    }
    return true;
  }

  /** What an owner may have when {@code all} bytes are taken. */
  private long most(Account account, long all) {
    return account.owner.small ? most / SMALL_PART : most - all;
  }

  /** Gives back what {@link #take} took. */
  public void give(long bytes, @Nullable Account account) {
    long unused = (account == null ? unclaimed : account.bytes).addAndGet(-bytes);
    long unusedToo = used.addAndGet(-bytes);
  }

  /**
   * Makes the bytes of one body, which were nobody's, those of an owner, and takes further ones.
   *
   * @return the owner's account, to be {@linkplain #leave left} once; null if it has too many, or
   *     too few are left
   */
  public @Nullable Account claim(Owner owner, long bytes, long more) {
    Account account =
        accounts.compute(
            owner,
            (user, known) -> {
              Account own = known == null ? new Account(user) : known;
              own.bodies++;
              return own;
            });
    long mine = account.bytes.addAndGet(bytes + more);
    long all = used.addAndGet(more);
    if (all > most || mine > most(account, all)) {
      long unused = account.bytes.addAndGet(-bytes - more);
      long unusedToo = used.addAndGet(-more);
      leave(account);
      return null;
    }
    long unused = unclaimed.addAndGet(-bytes);
    return account;
  }

  /** A body of the user is over; its bytes were given back. */
  public void leave(Account account) {
    @Nullable Account unused =
        accounts.computeIfPresent(account.owner, (_, known) -> --known.bodies == 0 ? null : known);
  }

  /**
   * Waits until a body can be handled.
   *
   * @return what {@link #handled} gives back; 0 for a small one, which does not wait
   */
  public int await(int bytes) throws InterruptedException {
    if (bytes <= SMALL_BYTES) {
      return 0;
    }
    int units = Math.min(turns, bytes / UNIT);
    handled.acquire(units);
    return units;
  }

  /** A body has been handled; {@code units} are what {@link #await} returned. */
  public void handled(int units) {
    handled.release(units);
  }

  /** The number of owners of large or slow bodies. */
  public int owners() {
    return accounts.size();
  }

  /** The bytes that are taken. */
  public long used() {
    return used.get();
  }
}
