package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Decimal;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import java.util.ArrayDeque;
import java.util.Deque;

/** A tree as the stream of tokens of its JSON, so that a tree can be typed again. */
public final class NodeTokens implements Tokens {

  /** An object or array that is being walked. */
  private static final class Frame {
    private final Node node;
    private int position;
    private boolean named;

    private Frame(Node node) {
      this.node = node;
    }
  }

  private final Deque<Frame> open = new ArrayDeque<>();
  private final Node root;
  private boolean started;
  private Token current = Token.END;
  private Node value = Null.NULL;
  private String name = "";

  public NodeTokens(Node root) {
    this.root = root;
  }

  @Override
  public Token next() {
    current = advance();
    return current;
  }

  private Token advance() {
    Frame frame = open.peek();
    if (frame == null) {
      if (started) {
        return Token.END;
      }
      started = true;
      return begin(root);
    }
    return switch (frame.node) {
      case MapNode map -> {
        if (frame.named) {
          frame.named = false;
          yield begin(map.valueAt(frame.position++));
        }
        if (frame.position == map.size()) {
          open.pop();
          yield Token.OBJECT_END;
        }
        frame.named = true;
        name = map.keyAt(frame.position);
        yield Token.NAME;
      }
      case Items items -> {
        if (frame.position == items.values().size()) {
          open.pop();
          yield Token.ARRAY_END;
        }
        yield begin(items.values().get(frame.position++));
      }
      case Text _, Int _, Decimal _, Bool _, Null _ ->
          throw new IllegalStateException("scalars are not walked");
    };
  }

  private Token begin(Node node) {
    value = node;
    return switch (node) {
      case MapNode _ -> {
        push(node);
        yield Token.OBJECT_START;
      }
      case Items _ -> {
        push(node);
        yield Token.ARRAY_START;
      }
      case Text _ -> Token.STRING;
      case Int _ -> Token.INT;
      case Decimal _ -> Token.DECIMAL;
      case Bool bool -> bool.value() ? Token.TRUE : Token.FALSE;
      case Null _ -> Token.NULL;
    };
  }

  /** The value that begins at the current token. */
  Node value() {
    return value;
  }

  /** Moves over the value that begins at the current token, as {@link #skip} does, at once. */
  void leap() {
    if (current == Token.OBJECT_START || current == Token.ARRAY_START) {
      open.pop();
      current = current == Token.OBJECT_START ? Token.OBJECT_END : Token.ARRAY_END;
    }
  }

  private void push(Node node) {
    if (open.size() == MAX_DEPTH) {
      throw new DecodeException(
          Fault.LIMIT, "document nesting depth exceeds the limit of " + MAX_DEPTH);
    }
    open.push(new Frame(node));
  }

  @Override
  public Token current() {
    return current;
  }

  @Override
  public String text() {
    if (current == Token.NAME) {
      return name;
    }
    return switch (value) {
      case Text text -> text.value();
      case Int number -> Long.toString(number.value());
      case Decimal number -> number.literal();
      case MapNode _, Items _, Bool _, Null _ ->
          throw new IllegalStateException("no text at " + current);
    };
  }

  @Override
  public long longValue() {
    if (value instanceof Int number) {
      return number.value();
    }
    throw new IllegalStateException("no integer at " + current);
  }
}
