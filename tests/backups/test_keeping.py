"""The folder of backups: what counts as one, and what goes."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rewards_app.backups import dumping, keeping
from rewards_app.backups.dumping import BackupFailed, Note
from rewards_app.core.clock import utc_now
from rewards_app.core.settings import Settings, settings
from rewards_app.doctor import here
from rewards_app.doctor.findings import Kind

NIGHT = datetime(2026, 11, 22, 2, 10, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BACKUP_DIR", str(tmp_path))
    settings.cache_clear()
    yield tmp_path
    monkeypatch.undo()
    settings.cache_clear()


def a_backup(folder: Path, made: datetime, *, proven: datetime | None = None) -> Path:
    file = folder / made.strftime(keeping.NAME)
    file.write_bytes(b"all of it")
    note = Note(
        made_at=made, revision="x", size=9, sha256="", rows={"accounts": 1}, proven_at=proven
    )
    dumping.write_note(file, note)
    return file


class TestTheFolder:
    def test_old_ones_go_with_their_notes(self, folder: Path):
        files = [a_backup(folder, NIGHT - n * timedelta(days=1)) for n in range(10)]
        gone = keeping.forget_old(now=NIGHT)
        assert set(gone) == {file for file in files if not file.exists()}
        assert len(gone) == 2  # of ten nights, seven stay and the Sunday before
        assert not any(dumping.note_of(file).exists() for file in gone)

    def test_one_that_was_cut_off_is_none(self, folder: Path):
        a_backup(folder, NIGHT - timedelta(days=1))
        a_backup(folder, NIGHT).write_bytes(b"half")
        (folder / "watchcoins-20261123T021000Z.dump").write_bytes(b"without a note")
        assert keeping.last_made(folder, now=NIGHT) == NIGHT - timedelta(days=1)

    def test_one_that_goes_while_it_is_looked_at_is_none(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ):
        a_backup(folder, NIGHT)
        going = a_backup(folder, NIGHT - timedelta(days=1))
        read = dumping.read_note

        def reads_before_it_goes(file: Path) -> Note | None:
            note = read(file)
            going.unlink(missing_ok=True)
            return note

        monkeypatch.setattr(dumping, "read_note", reads_before_it_goes)
        assert keeping.last_made(folder, now=NIGHT) == NIGHT

    def test_what_an_operator_put_there_stays(self, folder: Path):
        (folder / "before-the-move.dump").touch()
        for n in range(60):
            a_backup(folder, NIGHT - n * timedelta(days=1))
        keeping.forget_old(now=NIGHT)
        assert (folder / "before-the-move.dump").exists()
        assert len(list(keeping.whole(folder))) == 10

    def test_is_not_made_by_a_backup(self, folder: Path):
        folder.rmdir()
        with pytest.raises(BackupFailed, match=f"install -d .* {folder}$"):
            keeping.make()
        assert not folder.exists()


class TestOneOfAClockThatWasAhead:
    AHEAD = NIGHT + timedelta(days=400)

    def test_is_not_the_last_one_that_was_made_or_proven(self, folder: Path):
        a_backup(folder, self.AHEAD, proven=self.AHEAD)
        assert keeping.last_made(folder, now=NIGHT) is None
        assert keeping.last_proven(folder, now=NIGHT) is None
        a_backup(folder, NIGHT, proven=NIGHT)
        assert keeping.last_made(folder, now=NIGHT) == NIGHT
        assert keeping.last_proven(folder, now=NIGHT) == NIGHT

    def test_lets_those_stay_that_are_made_after_it(self, folder: Path):
        a_backup(folder, self.AHEAD)
        tonight = a_backup(folder, NIGHT)
        assert keeping.forget_old(now=NIGHT) == []
        assert tonight.exists()

    def test_is_told_by_the_doctor_by_its_name(self, folder: Path):
        a_backup(folder, NIGHT, proven=NIGHT)
        file = a_backup(folder, self.AHEAD)
        last, ahead = here.backups(settings(), now=NIGHT + timedelta(hours=3))
        assert (last.kind, ahead.kind) == (Kind.FINE, Kind.WRONG)
        assert f"A backup is dated in the future: {file.name}." in ahead.what


class TestWhatWasNeverFinished:
    def test_goes_a_day_after_it_began(self, folder: Path):
        whole = a_backup(folder, NIGHT)
        (folder / "watchcoins-20261123T021000Z.dump").write_bytes(b"without a note")
        (folder / "watchcoins-20261123T021000Z.dump.part").write_bytes(b"half")
        keeping.forget_old(now=utc_now() + timedelta(hours=23))
        assert len(list(folder.iterdir())) == 4
        keeping.forget_old(now=utc_now() + timedelta(hours=25))
        assert set(folder.iterdir()) == {whole, dumping.note_of(whole)}


class TestAProof:
    def test_outlives_its_backup(self, folder: Path):
        a_backup(folder, NIGHT - timedelta(hours=1), proven=NIGHT)
        a_backup(folder, NIGHT)
        assert len(keeping.forget_old(now=NIGHT)) == 1
        assert keeping.last_proven(folder, now=NIGHT) == NIGHT
        later = NIGHT + timedelta(days=8)
        a_backup(folder, later)
        keeping.forget_old(now=later)
        assert keeping.last_proven(folder, now=later) == NIGHT

    def test_that_cannot_be_read_is_none(self, folder: Path):
        (folder / keeping.PROVEN).write_text("half of it")
        assert keeping.last_proven(folder, now=NIGHT) is None


class TestWhoIsForgotten:
    def test_stays_on_the_list_when_a_restored_database_does_not_know_it(self, folder: Path):
        keeping.keep_forgotten(["a", "b"])
        keeping.keep_forgotten(["c", "b"])
        assert (folder / keeping.FORGOTTEN).read_text().split() == ["a", "b", "c"]
        assert not list(folder.glob("*.part"))


class TestWhatWasDelivered:
    def test_stays_on_the_list_when_a_restored_database_does_not_know_it(self, folder: Path):
        keeping.keep_delivered(["a", "b"])
        keeping.keep_delivered(["c", "b"])
        assert (folder / keeping.DELIVERED).read_text().split() == ["a", "b", "c"]
        assert not (folder / keeping.FORGOTTEN).exists()

    def test_has_what_is_of_one_code_on_one_line(self, folder: Path):
        """Marks of two keys; the list had one of them alone."""
        keeping.keep_delivered(["b", "c"])
        keeping.keep_delivered(["a b", "d e"])
        keeping.keep_delivered(["a", "f"])
        assert (folder / keeping.DELIVERED).read_text().splitlines() == ["a b", "c", "d e", "f"]

    def test_is_said_to_be_missing_where_the_list_cannot_be_written(self, folder: Path):
        (folder / keeping.DELIVERED).mkdir()
        with pytest.raises(BackupFailed, match="Which codes were delivered was not added"):
            keeping.keep_delivered(["a"])


class TestTheDoctor:
    def test_tells_the_age_of_the_last_one(self, folder: Path):
        a_backup(folder, NIGHT, proven=NIGHT)
        [found] = here.backups(settings(), now=NIGHT + timedelta(hours=3))
        assert (found.kind, "3 hours" in found.what) == (Kind.FINE, True)

    def test_finds_an_empty_folder_wrong(self, folder: Path):
        assert here.backups(settings(), now=NIGHT)[0].kind is Kind.WRONG

    def test_looks_at_the_disk_of_the_backups_as_well(self, folder: Path):
        assert [str(folder) in one.what for one in here.disks(settings())] == [False, True]

    def test_notes_backups_that_would_die_with_the_data(self, folder: Path):
        one_disk = settings().model_copy(update={"data_dir": folder.parent})
        [found] = here.shared_disk(one_disk)
        assert found.kind is Kind.WORTH_KNOWING
        assert f"{folder} are on the disk of {folder.parent}" in found.what
        elsewhere = settings().model_copy(update={"data_dir": Path("/proc")})
        assert here.shared_disk(elsewhere) == []

    def test_finds_a_folder_wrong_that_is_not_there(self, folder: Path):
        """As where its disk is not mounted: what is free beside it says nothing."""
        folder.rmdir()
        [found] = here.backups(settings(), now=NIGHT)
        assert (found.kind, f"{folder}, is not there" in found.what) == (Kind.WRONG, True)
        assert not any(str(folder) in one.what for one in here.disks(settings()))

    def test_names_each_old_copy_of_everybody(self, folder: Path):
        """Of whatever name: made by hand before an update, before a newer schema, or moved away."""
        data = folder / "data"
        (data / "backups").mkdir(parents=True)
        alone = folder / "of-something.dump.json"
        copies = [
            *(folder / "before-update.dump", alone),
            *(data / "backups/before-8f21.dump", data / "postgres-before-20261023T120000"),
        ]
        note = dumping.note_of(folder / "before-update.dump")
        for file in (*copies, note, folder / keeping.FORGOTTEN):
            file.touch()
        a_backup(folder, NIGHT)
        chosen = settings().model_copy(update={"data_dir": data})

        def named(later: timedelta) -> list[str]:
            found = here.old_copies(chosen, now=utc_now() + later)
            assert {one.kind for one in found} <= {Kind.WRONG}
            return [one.what.partition(" ")[0] for one in found]

        assert named(timedelta(days=28)) == []
        assert named(timedelta(days=29, minutes=1)) == sorted(map(str, copies))

    def test_finds_the_database_of_the_app_itself_wrong_where_another_one_is_served(
        self, folder: Path
    ):
        own = folder / "data/postgres"
        another = {"data_dir": folder / "data", "database_url": "postgresql://db.example.com/all"}
        chosen = settings().model_copy(update=another)
        assert here.own_database(chosen) == []
        own.mkdir(parents=True)
        (own / "PG_VERSION").touch()
        [found] = here.own_database(chosen)
        assert (found.kind, str(own) in found.what) == (Kind.WRONG, True)
        for served in ("", f"postgresql://postgres@/rewards?host={own}"):
            alone = chosen.model_copy(update={"database_url": served})
            assert here.own_database(alone) == []

    def test_says_that_without_a_folder_it_knows_nothing(self):
        [found] = here.backups(Settings(_env_file=None), now=NIGHT)  # pyright: ignore
        assert found.kind is Kind.WORTH_KNOWING
