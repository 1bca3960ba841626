package dev.keelson.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.config.flag.CommandWish;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.config.option.ToolOptions;
import dev.keelson.config.option.ToolOptions.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ToolFlagsTest {

  private static final String ETCD = "--etcd-servers=http://127.0.0.1:2379";

  private static ToolOptions read(Tool tool, String... arguments) {
    return ((CommandWish.Run<ToolOptions>) new ToolFlags(tool).read(List.of(arguments), Map.of()))
        .options();
  }

  @Test
  void backup_readsTheStoreOfTheServer() {
    ToolOptions ofSqlite = read(Tool.BACKUP, "a.db", "--data-dir=d");
    assertThat(ofSqlite.file()).isEqualTo(Path.of("a.db"));
    assertThat(ofSqlite.overwrite()).isFalse();
    assertThat(ofSqlite.from())
        .isInstanceOfSatisfying(
            StorageOptions.Sqlite.class,
            store -> assertThat(store.file()).isEqualTo(Path.of("d", "keelson.db")));

    assertThat(read(Tool.BACKUP, ETCD, "a.db", "--overwrite"))
        .satisfies(options -> assertThat(options.overwrite()).isTrue())
        .satisfies(options -> assertThat(options.from()).isInstanceOf(StorageOptions.Etcd.class));
  }

  @Test
  void restore_writesTheStoreOfTheServer() {
    ToolOptions options = read(Tool.RESTORE, "a.db", "--bump-revision=5");

    assertThat(options.from()).isNull();
    assertThat(options.to()).isInstanceOf(StorageOptions.Sqlite.class);
    assertThat(options.bump()).isEqualTo(5);
    assertThat(read(Tool.RESTORE, "a.db").bump()).isNull();
  }

  @Test
  void check_takesAFileOrTheStore() {
    assertThat(read(Tool.CHECK, "a.db", ETCD).from())
        .isInstanceOfSatisfying(
            StorageOptions.Sqlite.class,
            store -> assertThat(store.file()).isEqualTo(Path.of("a.db")));
    assertThat(read(Tool.CHECK, ETCD).from()).isInstanceOf(StorageOptions.Etcd.class);
  }

  @Test
  void copy_needsTwoKindsOfStore() {
    ToolOptions options = read(Tool.COPY, "--from=etcd", "--to=sqlite", ETCD);

    assertThat(options.from()).isInstanceOf(StorageOptions.Etcd.class);
    assertThat(options.to()).isInstanceOf(StorageOptions.Sqlite.class);
    refuses("--from is required", Tool.COPY, "--to=sqlite");
    refuses("must differ", Tool.COPY, "--from=sqlite", "--to=sqlite");
    refuses("--etcd-servers is required", Tool.COPY, "--from=etcd", "--to=sqlite");
    refuses("unexpected argument", Tool.COPY, "file");
  }

  @Test
  void operand_isRequiredAndSingle() {
    refuses("needs a FILE", Tool.BACKUP);
    refuses("unexpected argument \"b\"", Tool.RESTORE, "a", "b");
    refuses("unknown flag: --secure-port", Tool.CHECK, "--secure-port=1");
  }

  @Test
  void help_namesTheOperand() {
    assertThat(new ToolFlags(Tool.BACKUP).read(List.of("--help"), Map.of()))
        .isInstanceOfSatisfying(
            CommandWish.Help.class,
            help -> assertThat(help.text()).contains("keelson backup FILE [flags]"));
  }

  private static void refuses(String message, Tool tool, String... arguments) {
    assertThatThrownBy(() -> read(tool, arguments))
        .isInstanceOfSatisfying(
            FlagException.class, refusal -> assertThat(refusal.text()).contains(message));
  }
}
